import Plus from 'lucide-react/icons/plus';
import { IfMay } from '#app/access/use-may.tsx';
import { emailSegment } from '#app/people/email-key.ts';
import { portraitHref } from '#app/people/present-profile.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { parseListAddress } from '#app/ui/list-address.ts';
import { SearchedList } from '#app/ui/searched-list.tsx';
import { titled } from '#app/ui/page-title.ts';
import { AdminTable } from '../admin-table.tsx';
import { listStaff, shownRemovals } from '../queries.server.ts';
import { RemovalList } from '../removal-list.tsx';
import type { Route } from './+types/list';

export const meta = titled('Admins');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const asked = parseListAddress(url.searchParams);
  const since = await logSize(db);
  const { items, page, pages, total } = await listStaff(db, 'admin', asked);
  return {
    since,
    asked: { ...asked, page },
    pages,
    total,
    removals: await shownRemovals(db, requireSignedIn(context).personId, config.timeZone),
    admins: items.map(({ personId, email, name, roleLabel, phone, address, imageId }) => ({
      segment: emailSegment(email),
      email,
      name,
      role: roleLabel,
      phone,
      address,
      image: portraitHref({ personId, imageId }),
    })),
  };
}

export default function Admins({ loaderData: { since, asked, pages, total, removals, admins } }: Route.ComponentProps) {
  return (
    <main id="main">
      <Subscription topics={['admins']} since={since} />
      <div className="flex flex-wrap items-center justify-between gap-3 pb-4">
        <h1 className="text-xl">Admins</h1>
        <IfMay to="change people">
          <ButtonLink to="/admins/new" icon={Plus} look="primary">
            Add New
          </ButtonLink>
        </IfMay>
      </div>
      {removals.length === 0 ? null : (
        <div className="pb-5">
          <RemovalList removals={removals} />
        </div>
      )}
      <SearchedList
        path="/admins"
        asked={asked}
        pages={pages}
        total={total}
        noun={{ one: 'admin', many: 'admins' }}
        placeholder="Search Admin..."
        whenEmpty="No admin is in this registry yet"
      >
        <AdminTable admins={admins} />
      </SearchedList>
    </main>
  );
}
