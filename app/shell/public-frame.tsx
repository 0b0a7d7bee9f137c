// Shows a public page in the frame of the back office to a signed-in user. The frame is loaded lazily, so that the
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
      <Frame>{children}</Frame>
    </Suspense>
  );
}
