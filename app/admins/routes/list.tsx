import Plus from 'lucide-react/icons/plus';
import { IfMay } from '#app/access/use-may.tsx';
import { emailSegment } from '#app/people/email-key.ts';
import { STAFF } from '#app/people/staff.ts';
import { portraitHref } from '#app/people/present-profile.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { parseListAddress } from '#app/ui/list-address.ts';
import { useListLeft } from '#app/ui/list-left.ts';
import { TabbedList } from '#app/ui/tabbed-list.tsx';
import { titled } from '#app/ui/page-title.ts';
import { STAFF_ROLES } from '#database/people-tables.ts';
import { AdminTable } from '../admin-table.tsx';
import { listStaff, shownRemovals } from '../queries.server.ts';
import { RemovalList } from '../removal-list.tsx';
import type { Route } from './+types/list';

export const meta = titled('Admins');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const asked = parseListAddress(url.searchParams);
  const since = await logSize(db);
  const role = STAFF_ROLES.find((one) => one === url.searchParams.get('state')) ?? 'admin';
  const { items, page, pages, total } = await listStaff(db, role, asked);
  const counts = STAFF_ROLES.map(async (of) => (await listStaff(db, of, { text: '', page: 1 })).total);
  return {
    since,
    role,
    counts: await Promise.all(counts),
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

export default function Admins({ loaderData }: Route.ComponentProps) {
  const { since, role, counts, asked, pages, total, removals, admins } = loaderData;
  useListLeft();
  const nobody = `No ${STAFF[role].one.toLowerCase()}`;
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
      <TabbedList
        path="/admins"
        tabs={STAFF_ROLES.map((of, place) => ({ state: of, label: STAFF[of].many, count: String(counts[place]) }))}
        shown={role}
        asked={asked}
        list={{ page: asked.page, pages, total }}
        label="admins"
        placeholder="Search Admin..."
        whenEmpty={asked.text === '' ? `${nobody} is in this registry yet` : `${nobody} matches “${asked.text}”`}
      >
        <AdminTable admins={admins} />
      </TabbedList>
    </main>
  );
}
