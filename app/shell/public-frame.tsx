// A public page that wears the back office's frame for somebody signed in. The frame is a part of its own, so that the
// public never loads it.
import { loadPart } from '#app/platform/http/page-data.ts';
import { lazy, Suspense, type ReactNode } from 'react';
import { SearchHeader } from './site-header.tsx';
import { useSite } from '#app/ui/site.ts';

const Frame = lazy(() => loadPart(() => import('./frame.tsx')).then(({ Frame }) => ({ default: Frame })));

export function PublicFrame({ children }: { children: ReactNode }) {
  const { registryName, signedIn } = useSite();
  if (signedIn === null)
    return (
      <>
        <SearchHeader name={registryName} />
        {children}
      </>
    );
  return (
    <Suspense>
      <Frame registryName={registryName} who={signedIn}>
        {children}
      </Frame>
    </Suspense>
  );
}
