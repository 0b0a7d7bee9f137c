// /find: everything that the reader may open, by one text. The palette (Ctrl+K) asks this page, too.
import { requireSignedIn } from '#app/access/session.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { titled } from '#app/ui/page-title.ts';
import { SearchBox } from '#app/ui/search-box.tsx';
import { findPage } from '../find-page.server.ts';
import { FindResults } from '../find-results.tsx';
import type { Route } from './+types/find';

export const meta = titled('Find');

export const loader = ({ context, url }: Route.LoaderArgs) =>
  findPage(context.get(servicesContext), requireSignedIn(context), parseListAddress(url.searchParams).text);

const PLACEHOLDER = 'Plate, VIN, serial, name, ticket...';

export default function Find({ loaderData: found }: Route.ComponentProps) {
  return (
    <main id="main" className="grid max-w-180 gap-4">
      <h1 className="text-xl">Find</h1>
      <SearchBox path="/find" text={found.text} label="Find" placeholder={PLACEHOLDER} maxLength={100} />
      <div className={found.text === '' ? '' : 'card'}>
        <FindResults found={found} />
      </div>
    </main>
  );
}
