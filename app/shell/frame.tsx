// The frame of every signed-in page: sidebar (on a phone a drawer, also without scripts), search, the user's name.
import Menu from 'lucide-react/icons/menu';
import { lazy, Suspense, type ReactNode } from 'react';
import { Link } from 'react-router';
import { hasOutbox } from '#app/field/has-outbox.ts';
import { FindKeys } from '#app/find/find-keys.tsx';
import { WayBar } from '#app/find/way-bar.tsx';
import { Avatar } from '#app/people/avatar.tsx';
import { loadPart } from '#app/platform/http/page-data.ts';
import type { Waiting } from './count-waiting.server.ts';
import { RegoSearch } from './site-header.tsx';
import { ArrivalNote } from '#app/ui/note.tsx';
import { useSite } from '#app/ui/site.ts';
import { useIsHydrated } from '#app/ui/use-is-hydrated.ts';
import { Sidebar, SIDEBAR_ID } from './sidebar.tsx';

const UnsentNote = lazy(() =>
  loadPart(() => import('#app/field/unsent-note.tsx')).then((note) => ({ default: note.UnsentNote })),
);

/** Nobody signed in: only the content. */
export function Frame({ waiting = {}, children }: { waiting?: Waiting; children: ReactNode }) {
  const { registryName, signedIn: who } = useSite();
  const isHydrated = useIsHydrated();
  if (who === null) return children;
  return (
    <div className="office">
      <Sidebar registryName={registryName} waiting={waiting} />
      <header className="no-print flex min-h-13 items-center gap-3 border-b border-line bg-surface px-4 py-1.5 lg:px-6">
        <button
          type="button"
          popoverTarget={SIDEBAR_ID}
          className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md lg:hidden"
          aria-label="Menu"
        >
          <Menu size={24} aria-hidden="true" />
        </button>
        <RegoSearch />
        <FindKeys />
        <Link
          to="/my-profile"
          className="quiet-link ml-auto inline-flex min-h-11 min-w-11 shrink-0 items-center gap-2 font-semibold"
        >
          <Avatar name={who.name} />
          <span className="max-w-60 truncate max-sm:sr-only">{who.name}</span>
        </Link>
      </header>
      <div className="w-full max-w-310 px-4 py-6 lg:px-6">
        {isHydrated && hasOutbox() ? (
          <Suspense>
            <UnsentNote personId={who.personId} />
          </Suspense>
        ) : null}
        <ArrivalNote />
        <WayBar />
        {children}
      </div>
    </div>
  );
}
