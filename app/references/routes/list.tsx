// /references: the register of weighbridges.
import Plus from 'lucide-react/icons/plus';
import Upload from 'lucide-react/icons/upload';
import { href } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { parseListAddress } from '#app/ui/list-address.ts';
import { titled } from '#app/ui/page-title.ts';
import { SearchedList } from '#app/ui/searched-list.tsx';
import { useSite } from '#app/ui/site.ts';
import { presentCoverage } from '../present-reference.ts';
import { listReferences } from '../queries.server.ts';
import { kilograms, tonnes } from '../reference.ts';
import { ReferenceTable, type ReferenceRow } from '../reference-table.tsx';
import type { Route } from './+types/list';

export const meta = titled('Weighbridges', {
  description:
    'The weighbridges on which on-board truck scales are calibrated, and whether a verification covers today.',
});

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext);
  const asked = parseListAddress(url.searchParams);
  const since = await logSize(db);
  const today = todayIn(config.timeZone, now());
  const { items, page, pages, total } = await listReferences(db, asked, today);
  return {
    since,
    asked: { ...asked, page },
    pages,
    total,
    references: items.map((item): ReferenceRow => ({
      id: item.id,
      name: item.name,
      place: `${item.place} ${item.state}`,
      operator: item.operator,
      capacity: tonnes(item.capacityKg),
      interval: kilograms(item.intervalKg),
      certificate: item.certificateNumber ?? '',
      verifiedTo: item.verifiedTo === null ? '' : formatDay(item.verifiedTo, 'short'),
      coverage: presentCoverage(item, today),
    })),
  };
}

export default function References({ loaderData }: Route.ComponentProps) {
  const { since, asked, pages, total, references } = loaderData;
  const framed = useSite().signedIn !== null;
  return (
    <PublicFrame>
      <main id="main" className={framed ? '' : 'page pt-8'}>
        <Subscription topics={['references']} since={since} />
        <div className="flex flex-wrap items-center justify-between gap-3 pb-4">
          <h1 className={framed ? 'text-xl' : 'text-2xl'}>Weighbridges</h1>
          <IfMay to="change weighbridges">
            <div className="flex flex-wrap gap-3">
              <ButtonLink to={href('/references/import')} icon={Upload}>
                Import CSV
              </ButtonLink>
              <ButtonLink to={href('/references/new')} icon={Plus} look="primary">
                Add weighbridge
              </ButtonLink>
            </div>
          </IfMay>
        </div>
        <SearchedList
          path={href('/references')}
          asked={asked}
          pages={pages}
          total={total}
          noun={{ one: 'weighbridge', many: 'weighbridges' }}
          placeholder="Search weighbridges..."
          whenEmpty="No weighbridge is in this register yet"
        >
          <ReferenceTable references={references} />
        </SearchedList>
      </main>
    </PublicFrame>
  );
}
