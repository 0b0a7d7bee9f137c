import Pencil from 'lucide-react/icons/pencil';
import { ActivityList } from '#app/activity-log/activity-list.tsx';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import { NoteAbove } from '#app/ui/note.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { titled } from '#app/ui/page-title.ts';
import { presentActivities, presentProfile, presentSuspensions } from '../present-profile.server.ts';
import { ProfileFacts } from '../profile-facts.tsx';
import { findProfile } from '../profile-queries.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import type { Route } from './+types/my-profile';

export const meta = titled('My Profile');

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const who = requireSignedIn(context);
  const since = await logSize(services.db);
  const profile = await findProfile(services.db, who);
  if (profile === undefined) throw new Error('the signed-in user has no profile');
  return {
    since,
    profile: presentProfile(services, profile),
    activities: await presentActivities(services, who.personId),
    suspensionWords: await presentSuspensions(services, who),
  };
}

export default function MyProfile({
  loaderData: { since, profile, activities, suspensionWords },
}: Route.ComponentProps) {
  return (
    <main id="main">
      <Subscription topics={[`person:${profile.personId}`]} since={since} />
      <PageHead title="My Profile" back="/dashboard">
        <ButtonLink to="/profile/update" icon={Pencil} look="primary">
          Edit
        </ButtonLink>
      </PageHead>
      {suspensionWords === null ? null : <NoteAbove kind="info">{suspensionWords}</NoteAbove>}
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
        <ProfileFacts profile={profile} />
        <Card title="Last Activities" id="activities">
          <ActivityList activities={activities} empty="You have recorded nothing yet." />
        </Card>
      </div>
    </main>
  );
}
