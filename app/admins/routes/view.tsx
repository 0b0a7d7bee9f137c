import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { IfMay } from '#app/access/use-may.tsx';
import { emailSegment } from '#app/people/email-key.ts';
import { missingPerson } from '#app/people/missing-person.ts';
import { findProfile } from '#app/people/profile-queries.server.ts';
import { presentActivities, presentProfile } from '#app/people/present-profile.server.ts';
import { ProfileFacts } from '#app/people/profile-facts.tsx';
import { STAFF } from '#app/people/staff.ts';
import { ActivityList } from '#app/activity-log/activity-list.tsx';
import { logSize } from '#app/activity-log/queries.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { emailOf } from '../admin-action.server.ts';
import { findStaff } from '../queries.server.ts';
import type { Route } from './+types/view';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  const who = loaderData === undefined ? 'No such admin' : loaderData.profile.name || loaderData.profile.email;
  return [{ title: `${who} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const email = emailOf('view', params.id);
  const since = await logSize(services.db);
  const found = await findStaff(services.db, email);
  if (found.state === 'removed')
    throw missingPerson('admin', email, formatDay(todayIn(services.config.timeZone, found.removedAt)));
  const profile = found.state === 'live' ? await findProfile(services.db, found) : undefined;
  if (profile === undefined || found.state !== 'live') throw missingPerson('admin', email);
  return {
    since,
    segment: emailSegment(email),
    access: STAFF[found.role].one,
    profile: presentProfile(services, profile),
    activities: await presentActivities(services, profile.personId),
  };
}

export default function AdminView({
  loaderData: { since, segment, access, profile, activities },
}: Route.ComponentProps) {
  return (
    <main id="main">
      <Subscription topics={['admins', `person:${profile.personId}`]} since={since} />
      <PageHead title={profile.name || profile.email} back="/admins">
        <IfMay to="change people">
          <ButtonLink to={`/admins/delete/${segment}`} aria-label={`Delete ${profile.email}`} icon={Trash2}>
            <span className="max-row:sr-only">Delete</span>
          </ButtonLink>
          <ButtonLink to={`/admins/update/${segment}`} icon={Pencil} look="primary">
            Edit
          </ButtonLink>
        </IfMay>
      </PageHead>
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
        <ProfileFacts
          profile={profile}
          more={[
            { label: 'Access', value: access },
            { label: 'Notes', value: profile.notes },
          ]}
        />
        <Card title="Last Transactions" id="transactions">
          <ActivityList activities={activities} empty="They have recorded nothing yet." />
        </Card>
      </div>
    </main>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
