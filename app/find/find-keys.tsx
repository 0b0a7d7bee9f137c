// Ctrl+K, `/` and `?` on every page of who is signed in. What they open is loaded then.
import { lazy, Suspense, useCallback, useLayoutEffect, useState } from 'react';
import { loadPart } from '#app/platform/http/page-data.ts';
import { KeyHint } from '#app/ui/key-hint.tsx';
import { useKeys } from '#app/ui/use-keys.ts';

const part = () => loadPart(() => import('./palette.tsx'));
const Palette = lazy(() => part().then((loaded) => ({ default: loaded.Palette })));
const KeySheet = lazy(() => part().then((loaded) => ({ default: loaded.KeySheet })));

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
    const onKey = (event: KeyboardEvent) => {
      const isCtrlK = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'k';
      // Another dialog may hold what somebody typed.
      if (!isCtrlK || document.querySelector('dialog:modal') !== null) return;
      event.preventDefault();
      setOpened('find');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <KeyHint keys={['Ctrl', 'K']} words="find anything" />
      <Suspense>
        {opened === 'find' ? <Palette onClose={close} /> : null}
        {opened === 'keys' ? <KeySheet onClose={close} /> : null}
      </Suspense>
    </>
  );
}
