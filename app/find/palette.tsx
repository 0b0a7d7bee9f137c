// "Find anything" over the page, by Ctrl+K. Loaded when it is opened first. It asks /find, whose page shows the same.
// The arrows move the focus along the rows, so that Enter, Tab and a new tab work as for any link; a letter typed on a
// row goes on in the box.
import Search from 'lucide-react/icons/search';
import { useEffect, useLayoutEffect, useRef, type FormEvent, type KeyboardEvent } from 'react';
import { useFetcher, useLocation, useNavigate } from 'react-router';
import { FindResults } from './find-results.tsx';
import type { FindPage } from './find.ts';

const TYPING_PAUSE_MS = 100;

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { data: found, load } = useFetcher<FindPage>();
  const navigate = useNavigate();
  const { key } = useLocation();
  const openedAt = useRef(key);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    input.current?.focus();
    return () => {
      clearTimeout(timer.current);
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  // A row was followed.
  useEffect(() => {
    if (key !== openedAt.current) onClose();
  }, [key, onClose]);

  const typed = () => input.current?.value.trim() ?? '';
  const find = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void load(`/find?q=${encodeURIComponent(typed())}`), TYPING_PAUSE_MS);
  };
  const rows = () => [...(dialog.current?.querySelectorAll<HTMLElement>('a[href]') ?? [])];

  function openFirst(event: FormEvent) {
    event.preventDefault();
    const [first] = rows();
    if (found?.text === typed() && first !== undefined) first.click();
    else void navigate(`/find?q=${encodeURIComponent(typed())}`);
  }
  function move(event: KeyboardEvent) {
    const places: (HTMLElement | null)[] = [input.current, ...rows()];
    const at = places.findIndex((place) => place === document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // While one types, the first row has the mark already.
    const from = at === 0 && by === 1 && places.length > 2 ? 1 : at;
    if (by !== undefined) {
      event.preventDefault();
      places[(from + by + places.length) % places.length]?.focus();
    } else if (at > 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
      input.current?.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      aria-label="Find anything"
      className="palette"
      onClose={onClose}
      onKeyDown={move}
      onClick={({ target }) => {
        if (target === dialog.current) onClose();
      }}
    >
      <form role="search" className="relative border-b border-line" onSubmit={openFirst}>
        <input
          ref={input}
          type="search"
          onInput={find}
          maxLength={100}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder="Plate, VIN, serial, name, ticket..."
          aria-label="Find anything"
          className="h-14 w-full bg-surface pr-16 pl-12 text-lg"
        />
        <Search size={20} aria-hidden="true" className="absolute top-1/2 left-4 -translate-y-1/2" />
        <button type="button" className="absolute inset-y-0 right-0 cursor-pointer px-4" onClick={onClose}>
          <span className="sr-only">Close</span>
          <kbd className="key" aria-hidden="true">
            Esc
          </kbd>
        </button>
      </form>
      <div className="palette-rows">{found === undefined ? null : <FindResults found={found} />}</div>
      <p className="flex flex-wrap gap-x-5 border-t border-line bg-sunken px-4 py-2.5 text-sm text-ink-2">
        <Hint keys={['↑', '↓']}>move</Hint>
        <Hint keys={['Enter']}>open</Hint>
        <span className="ml-auto">Only what your role may open</span>
      </p>
    </dialog>
  );
}

function Hint({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <span className="inline-flex items-center gap-2 max-sm:hidden">
      {keys.map((key) => (
        <kbd key={key} className="key">
          {key}
        </kbd>
      ))}
      {children}
    </span>
  );
}
