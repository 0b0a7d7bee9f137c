// Ctrl+K, `/` and `?` on every page of who is signed in. What they open is loaded then.
import { lazy, Suspense, useCallback, useState } from 'react';
import { loadPart } from '#app/platform/http/page-data.ts';
import { KeyHint } from '#app/ui/key-hint.tsx';
import { useKeys } from '#app/ui/use-keys.ts';

const Opened = lazy(() => loadPart(() => import('./palette.tsx')).then((loaded) => ({ default: loaded.Opened })));

export function FindKeys() {
  const [opened, setOpened] = useState<'find' | 'keys' | null>(null);
  const close = useCallback(() => setOpened(null), []);
  useKeys({
    // Another dialog may hold what somebody typed.
    'ctrl+k': () => document.querySelector('dialog:modal') ?? setOpened('find'),
    '/': () => {
      const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
      if (search === null) setOpened('find');
      else search.focus();
    },
    '?': () => setOpened('keys'),
  });
  return (
    <>
      <KeyHint keys={['Ctrl', 'K']} words="find anything" />
      <Suspense>{opened === null ? null : <Opened what={opened} onClose={close} />}</Suspense>
    </>
  );
}
