import { useEffect, useId, useRef, type ReactNode } from 'react';
import { LOOKS } from '#app/ui/submit-button.tsx';

/** A question in a dialog. Esc, and the safe button, which has the focus, lose nothing. */
export function Question({
  title,
  act,
  look,
  onAct,
  stay,
  onStay,
  children,
}: {
  title: string;
  act: string;
  look: keyof typeof LOOKS;
  onAct: () => void;
  stay: string;
  onStay: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const safe = useRef<HTMLButtonElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
    safe.current?.focus();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} className="sheet" onClose={onStay}>
      <div className="grid gap-2 p-5">
        <h2 id={titleId} className="text-lg">
          {title}
        </h2>
        <p>{children}</p>
      </div>
      <footer className="grid grid-cols-2 gap-3 border-t border-line bg-sunken px-5 py-3">
        <button type="button" className={`button-look ${LOOKS[look]}`} onClick={onAct}>
          {act}
        </button>
        <button type="button" ref={safe} className="button-look button-primary" onClick={() => dialog.current?.close()}>
          {stay}
        </button>
      </footer>
    </dialog>
  );
}
