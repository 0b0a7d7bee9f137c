// "Find anything" over the page, and the sheet of keys. Loaded when one is opened first. The palette asks /find, whose
// page shows the same. Its arrows move the focus along the rows, so that Enter, Tab and a new tab work as for any link;
// a letter typed on a row goes on in the box.
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { useFetcher } from 'react-router';
import { CODE_SEARCH } from '#app/ui/use-live-search.ts';
import type { FindPage } from './source.server.ts';
import { FindResults } from './find-results.tsx';

const TYPING_PAUSE_MS = 100;
const KEYS = {
  Anywhere: { 'Find anything': 'Ctrl K', 'Search this list, else find': '/', 'These keys': '?', Close: 'Esc' },
  'In a list': { 'Down, up': 'J K', Open: 'Enter' },
  'On a record': { 'Next, previous in the list': 'J K', 'Back to the list': 'U' },
  'Deciding about a visit': { Accept: 'A', 'Set aside': 'S' },
};

export const Opened = ({ what, onClose }: { what: 'find' | 'keys'; onClose: () => void }) =>
  what === 'find' ? <Palette onClose={onClose} /> : <KeySheet onClose={onClose} />;

function Palette({ onClose }: { onClose: () => void }) {
  const { data: found, load } = useFetcher<FindPage>();
  const results = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  // Enter may be pressed before the answer is there.
  const [entered, setEntered] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => void load(`/find?q=${encodeURIComponent(text)}`), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, load]);
  useEffect(() => {
    if (entered === text && found?.text === text) results.current?.querySelector<HTMLElement>('.find-row')?.click();
  }, [entered, text, found]);
  function onKeyDown(event: KeyboardEvent<HTMLDialogElement>) {
    const { key: pressed, ctrlKey, metaKey, altKey, currentTarget } = event;
    const [box, ...rows] = currentTarget.querySelectorAll<HTMLElement>('input, a[href]');
    const at = rows.findIndex((row) => row === document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[pressed];
    if (by !== undefined) (rows[at + by] ?? box)?.focus();
    else if (pressed === 'Enter' && document.activeElement === box) setEntered(text);
    else {
      if (at >= 0 && pressed.length === 1 && !ctrlKey && !metaKey && !altKey) box?.focus();
      return;
    }
    event.preventDefault();
  }
  return (
    <Over aria-label="Find anything" className="sheet palette" onClose={onClose} onKeyDown={onKeyDown}>
      <div role="search" className="flex items-center gap-3 border-b border-line px-4">
        <input
          {...CODE_SEARCH}
          type="text"
          onInput={({ currentTarget }) => setText(currentTarget.value.trim())}
          placeholder="Plate, VIN, serial, name, ticket..."
          aria-label="Find anything"
          className="h-14 min-w-0 grow bg-surface text-lg"
        />
        <CloseButton onClose={onClose} />
      </div>
      <div ref={results} className="min-h-0 overflow-y-auto">
        {found === undefined ? null : <FindResults found={found} />}
      </div>
    </Over>
  );
}

function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Over aria-label="Keys" className="sheet" onClose={onClose}>
      <header className="flex items-center justify-between border-b border-line px-5 py-2">
        <h2 className="text-lg">Keys</h2>
        <CloseButton onClose={onClose} />
      </header>
      <div className="grid gap-x-10 gap-y-4 overflow-y-auto px-5 py-4 sm:grid-cols-2">
        {Object.entries(KEYS).map(([where, keys]) => (
          <section key={where}>
            <h3 className="text-sm text-ink-2">{where}</h3>
            <dl>
              {Object.entries(keys).map(([what, key]) => (
                <div key={what} className="flex justify-between gap-3 border-b border-line py-2 last:border-b-0">
                  <dt>{what}</dt>
                  <dd className="rounded-sm border border-line-strong px-1.5 py-0.5 text-xs font-semibold">{key}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="border-t border-line bg-sunken px-5 py-3 text-sm text-ink-2">No key works while you type.</p>
    </Over>
  );
}

const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <button type="button" className="button-look button-secondary" onClick={onClose}>
    Close
  </button>
);

// Esc, a press outside and a link close it, and the focus goes back.
function Over({ onClose, children, ...more }: ComponentProps<'dialog'> & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const closeOutside = ({ target, ctrlKey, metaKey }: MouseEvent) => {
    const isFollowed = target instanceof Element && target.closest('a') !== null && !ctrlKey && !metaKey;
    if (target === dialog.current || isFollowed) onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog ref={dialog} onClose={onClose} onClick={closeOutside} {...more}>
      {children}
    </dialog>
  );
}
