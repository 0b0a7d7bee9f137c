// The sheet of keys, by `?`.
import { useLayoutEffect, useRef } from 'react';

const KEYS = [
  {
    where: 'Anywhere',
    keys: [
      ['Find anything', 'Ctrl K'],
      ['Search this list, else find', '/'],
      ['These keys', '?'],
      ['Close', 'Esc'],
    ],
  },
  {
    where: 'In a list',
    keys: [
      ['Down, up', 'J K'],
      ['Open', 'Enter'],
    ],
  },
  {
    where: 'On a record',
    keys: [
      ['Next, previous in the list', 'J K'],
      ['Back to the list', 'U'],
    ],
  },
  {
    where: 'Deciding about a visit',
    keys: [
      ['Accept', 'A'],
      ['Set aside', 'S'],
    ],
  },
] as const;

export function KeySheet({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      aria-labelledby="keys"
      className="sheet"
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) onClose();
      }}
    >
      <h2 id="keys" className="border-b border-line px-5 py-3 text-lg">
        Keys
      </h2>
      <div className="grid gap-x-10 gap-y-4 px-5 py-4 sm:grid-cols-2">
        {KEYS.map(({ where, keys }) => (
          <section key={where} aria-label={where}>
            <h3 className="text-sm text-ink-2">{where}</h3>
            <dl>
              {keys.map(([what, key]) => (
                <div key={what} className="flex justify-between gap-3 border-b border-line py-2 last:border-b-0">
                  <dt>{what}</dt>
                  <dd className="flex gap-1.5">
                    {key.split(' ').map((one) => (
                      <kbd key={one} className="key">
                        {one}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <footer className="flex items-center justify-between gap-3 border-t border-line bg-sunken px-5 py-3">
        <p className="text-sm text-ink-2">No key works while you type.</p>
        <button type="button" className="button-look button-secondary" onClick={onClose}>
          Close
        </button>
      </footer>
    </dialog>
  );
}
