import { Pencil } from 'lucide-react';
import { Link } from 'react-router';
import { ActivityList } from '#app/activity-log/activity-list.tsx';
import { logSize } from '#app/activity-log/queries.server.ts';
import { useLiveUpdates } from '#app/platform/live-client.ts';
import { services } from '#app/platform/services.server.ts';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { Avatar } from '../avatar.tsx';
import { presentActivities, presentProfile } from '../present-profile.server.ts';
import { findProfile } from '../profile-queries.server.ts';
import { requireSignedIn } from '../session.server.ts';
import type { Route } from './+types/my-profile';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `My Profile · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const given = context.get(services);
  const who = requireSignedIn(context);
  const since = await logSize(given.db);
  const profile = await findProfile(given.db, who);
  if (profile === undefined) throw new Error('somebody signed in has no profile');
  return { since, profile: presentProfile(given, profile), activities: await presentActivities(given, who.personId) };
}

export default function MyProfile({ loaderData: { since, profile, activities } }: Route.ComponentProps) {
  useLiveUpdates([`person:${profile.personId}`], since);
  const { addedAt, addedBy, updatedAt, updatedBy } = profile;
  return (
    <main id="main">
      <div className="flex flex-wrap items-center justify-between gap-3 pb-5">
        <h1 className="text-xl">My Profile</h1>
        <div className="flex flex-wrap gap-3">
          <GoBack fallback="/dashboard" />
          <Link to="/profile/update" className="button-look button-primary">
            <Pencil size={18} aria-hidden="true" />
            Edit
          </Link>
        </div>
      </div>
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Card title="Details" id="details">
          <div className="flex flex-wrap items-center gap-4 px-5 pt-4">
            <Avatar name={profile.name || profile.email} src={profile.image} large />
            <p className="min-w-0 text-lg font-bold break-words">{profile.name || profile.email}</p>
          </div>
          <FactList
            facts={[
              { label: 'Email', value: profile.email },
              { label: 'Phone', value: profile.phone },
              { label: 'Address', value: profile.address },
              { label: 'Role', value: profile.role },
              { label: 'DOB', value: profile.dob },
              { label: 'Gender', value: profile.gender },
              ...(addedAt === null ? [] : [{ label: 'Added At', value: addedAt }]),
              ...(addedBy === null ? [] : [{ label: 'Added By', value: addedBy }]),
              ...(updatedAt === null ? [] : [{ label: 'Last Updated At', value: updatedAt }]),
              ...(updatedBy === null ? [] : [{ label: 'Last Updated By', value: updatedBy }]),
            ]}
          />
        </Card>
        <Card title="Last Activities" id="activities">
          <ActivityList activities={activities} empty="You have recorded nothing yet." />
        </Card>
      </div>
    </main>
  );
}
