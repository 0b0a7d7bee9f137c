// A dialog that is also a page: the server sends it open, the browser makes what is behind inert. Esc, the X and a click
// beside it close it, which is going to `closeTo`. What has `data-first-focus` gets the focus when it opens.
import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';

export function Sheet({
  title,
  titleId,
  closeTo,
  children,
}: {
  title: ReactNode;
  titleId: string;
  closeTo: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const close = () => void navigate(closeTo, { preventScrollReset: true });
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.matches(':modal')) return;
    element.close();
    element.showModal();
    element.querySelector<HTMLElement>('[data-first-focus]')?.focus();
  }, []);
  return (
    // A click on the dialog itself is one beside its content.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      open
      aria-labelledby={titleId}
      className="sheet"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <header className="flex items-center justify-between gap-3 border-b border-line px-5 py-2">
        <h2 id={titleId} className="flex min-w-0 items-center gap-3 text-lg">
          {title}
        </h2>
        <Link
          to={closeTo}
          preventScrollReset
          aria-label="Close"
          className="quiet-link -mr-3 grid size-11 shrink-0 place-items-center"
        >
          <X size={20} aria-hidden="true" />
        </Link>
      </header>
      {children}
    </dialog>
  );
}
