// A dialog that is also a page. The server sends it open; in the browser the page behind it is inert. Esc, the X, Close
// and a click outside close it, which navigates to `closeTo`. When it opens, the element with `data-first-focus` gets
// the focus, else the first field. When it closes, the element that opened it gets the focus.
import X from 'lucide-react/icons/x';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { ConnectionBar } from './no-connection.tsx';
import { useGoBack } from './use-go-back.ts';

export function Sheet({
  title,
  titleId,
  closeTo,
  goesBack = false,
  unsaved,
  children,
}: {
  title: ReactNode;
  titleId: string;
  closeTo: string;
  /** Closing goes back in the history; `closeTo` is only for a visit that began at the dialog. */
  goesBack?: boolean;
  /** What closing would discard. If set and something is typed, Esc and a press outside ask before they close it. */
  unsaved?: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const navigate = useNavigate();
  const goBack = useGoBack();
  const leave = () => {
    if (!goesBack || !goBack()) void navigate(closeTo, { replace: true, preventScrollReset: true });
  };
  // By Esc or a press outside, which may be a slip. A button that says Close closes at once.
  const close = () => {
    if (unsaved !== undefined && hasTyped(dialog.current)) setIsAsking(true);
    else leave();
  };
  const opened = useRef<Opened>(null);
  // A layout effect: with a plain one the page can be drawn, and a key pressed, while the dialog is not modal yet.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null || element.matches(':modal')) return;
    opened.current = { by: document.activeElement, address: `${window.location.pathname}${window.location.search}` };
    element.close();
    element.showModal();
    firstField(element)?.focus();
  }, []);
  // A plain effect: it ends when the dialog has left the document, and the focus with it.
  useEffect(() => () => focusOpener(opened.current), []);
  return (
    // A click whose target is the dialog element itself is outside its content.
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
      onKeyDown={(event) => {
        // When Esc is pressed twice in a row, the browser lets a page prevent only the first `cancel`.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
      onClickCapture={(event) => {
        const link = event.target instanceof Element ? event.target.closest('a') : null;
        if (link?.getAttribute('href') !== closeTo || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        leave();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <header className="flex items-center justify-between gap-3 border-b border-line px-5 py-2">
        <h2 id={titleId} className="flex min-w-0 items-center gap-3 text-lg">
          {title}
        </h2>
        <Link to={closeTo} aria-label="Close" className="quiet-link -mr-3 grid size-11 shrink-0 place-items-center">
          <X size={20} aria-hidden="true" />
        </Link>
      </header>
      {children}
      {isAsking ? <DiscardQuestion unsaved={unsaved} onKeep={() => setIsAsking(false)} onDiscard={leave} /> : null}
      <ConnectionBar />
    </dialog>
  );
}

function DiscardQuestion({
  unsaved,
  onKeep,
  onDiscard,
}: {
  unsaved: string | undefined;
  onKeep: () => void;
  onDiscard: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const asked = document.activeElement;
    dialog.current?.showModal();
    // The safe button is focused: pressing Enter at once loses nothing.
    keep.current?.focus();
    // The browser restores the focus only when a dialog closes while it is in the document; by then it is removed.
    return () => {
      if (asked instanceof HTMLElement && asked.isConnected) asked.focus();
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-labelledby="discard-title"
      className="sheet"
      onCancel={(event) => {
        event.preventDefault();
        onKeep();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onKeep();
      }}
    >
      <div className="grid gap-2 p-5">
        <h2 id="discard-title" className="text-lg">
          Discard what you typed?
        </h2>
        <p>{unsaved}</p>
      </div>
      <footer className="flex justify-end gap-3 border-t border-line bg-sunken px-5 py-3 max-sm:grid max-sm:grid-cols-2">
        <button type="button" className="button-look button-secondary" onClick={onDiscard}>
          Discard
        </button>
        <button ref={keep} type="button" className="button-look button-primary" onClick={onKeep}>
          Keep typing
        </button>
      </footer>
    </dialog>
  );
}

const FIELDS = 'input:not([type="hidden"], [readonly]), select, textarea:not([readonly])';

function firstField(within: HTMLElement): HTMLElement | null {
  const marked = within.querySelector<HTMLElement>('[data-first-focus]');
  const first = within.querySelector<HTMLElement>(FIELDS);
  if (marked !== null || !(first instanceof HTMLInputElement) || first.type !== 'radio') return marked ?? first;
  return within.querySelector<HTMLElement>(`input[name="${first.name}"]:checked`) ?? first;
}

// Only typed text counts: a choice is quickly made again.
function hasTyped(within: HTMLElement | null): boolean {
  return [...(within?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      !['checkbox', 'radio', 'file'].includes(field.type) &&
      field.value.trim() !== '',
  );
}

/** The element that had the focus when the dialog opened, and the dialog's address. */
type Opened = { by: Element | null; address: string };

// If the dialog was opened by its address, or its opener was removed, the link to that address gets the focus.
function focusOpener(opened: Opened | null): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const by = opened?.by;
  const isThere = by instanceof HTMLElement && by !== document.body && by.isConnected;
  const link = [...document.querySelectorAll('a')].find((one) => one.getAttribute('href') === opened?.address);
  (isThere ? by : link)?.focus({ preventScroll: true });
}
