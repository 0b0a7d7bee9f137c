// Toasts at the top right; at the foot of a narrow page. Each stays five seconds, counted
// again once its dialog closes, and longer while the pointer is over it, it has the focus, or its tab is hidden.
import X from 'lucide-react/icons/x';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { NoteIcon } from './note.tsx';
import { closeToast, type Toast } from './toasts.ts';
import { Undo, UNDO_SECONDS } from './undo.tsx';

const LIFE_MS = 5000;

/**
 * The toasts. They are rendered into an open modal dialog, because everything outside of it is inert and behind it.
 * They outlive it: a save closes its dialog a second later.
 */
export default function Toaster({ toasts }: { toasts: readonly Toast[] }) {
  const dialog = useSyncExternalStore(onAnyChange, openDialog);
  const list = <Toasts toasts={toasts} />;
  return <div>{dialog === null ? list : createPortal(list, dialog)}</div>;
}

const openDialog = () => document.querySelector<HTMLElement>('dialog:modal');

// A dialog that is removed with its page fires no close event.
function onAnyChange(look: () => void): () => void {
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] });
  return () => observer.disconnect();
}

function Toasts({ toasts }: { toasts: readonly Toast[] }) {
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [isUnseen, setUnseen] = useState(false);
  useEffect(() => {
    const look = () => setUnseen(document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  const stays = isPointedAt || hasFocus || isUnseen;
  return (
    // Pointing only prolongs the toast; it triggers nothing.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="toasts"
      aria-label="Messages"
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} stays={stays} />
      ))}
    </section>
  );
}

function OneToast({ toast: { id, kind, text, undo }, stays }: { toast: Toast; stays: boolean }) {
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => closeToast(id), undo === undefined ? LIFE_MS : UNDO_SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [id, stays, undo]);
  return (
    <div className={`toast toast-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <NoteIcon kind={kind} />
      <p className="grow py-1 font-semibold">{text}</p>
      {undo === undefined ? null : <Undo {...undo} />}
      <button
        type="button"
        className="grid size-11 shrink-0 cursor-pointer place-items-center"
        aria-label="Close"
        onClick={() => closeToast(id)}
      >
        <X size={20} aria-hidden="true" />
      </button>
    </div>
  );
}
