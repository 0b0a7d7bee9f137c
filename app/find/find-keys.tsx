// Ctrl+K, `/` and `?` on every page of who is signed in. What they open is loaded then. Without scripts the link leads to
// /find.
import { lazy, Suspense, useCallback, useLayoutEffect, useState } from 'react';
import { Link } from 'react-router';
import { loadPart } from '#app/platform/http/page-data.ts';
import { useKeys } from '#app/ui/use-keys.ts';

const Palette = lazy(() => loadPart(() => import('./palette.tsx')).then(({ Palette }) => ({ default: Palette })));
const KeySheet = lazy(() => loadPart(() => import('./key-sheet.tsx')).then(({ KeySheet }) => ({ default: KeySheet })));

export function FindKeys() {
  const [opened, setOpened] = useState<'find' | 'keys' | null>(null);
  const close = useCallback(() => setOpened(null), []);
  useKeys({
    '/': () => {
      const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
      if (search === null) setOpened('find');
      else search.focus();
    },
    '?': () => setOpened('keys'),
  });
  useLayoutEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k')
        return;
      // Another dialog may hold what somebody typed.
      if (document.querySelector('dialog:modal') !== null) return;
      event.preventDefault();
      setOpened('find');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Link
        to="/find"
        aria-label="Find anything"
        className="quiet-link inline-flex min-h-11 items-center gap-1.5 max-sm:hidden"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setOpened('find');
        }}
      >
        <kbd className="key">Ctrl</kbd>
        <kbd className="key">K</kbd>
      </Link>
      <Suspense>
        {opened === 'find' ? <Palette onClose={close} /> : null}
        {opened === 'keys' ? <KeySheet onClose={close} /> : null}
      </Suspense>
    </>
  );
}
