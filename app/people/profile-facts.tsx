import { Card } from '#app/ui/card.tsx';
import { FactList, type Fact } from '#app/ui/fact-list.tsx';
import { Avatar } from './avatar.tsx';
import type { PresentProfile } from './present-profile.server.ts';

/** A card with a person's picture, name and details. `more`: facts to insert after the gender. */
export function ProfileFacts({ profile, more = [] }: { profile: PresentProfile; more?: readonly Fact[] }) {
  const { addedAt, addedBy, updatedAt, updatedBy } = profile;
  return (
    <Card title="Details" id="details">
      <div className="flex flex-wrap items-center gap-4 px-5 pt-4">
        <Avatar name={profile.name || profile.email} src={profile.image} large />
        <p className="min-w-0 text-lg font-bold wrap-anywhere">{profile.name || profile.email}</p>
      </div>
      <FactList
        facts={[
          { label: 'Email', value: profile.email },
          { label: 'Phone', value: profile.phone },
          { label: 'Address', value: profile.address },
          { label: 'Role', value: profile.role },
          { label: 'DOB', value: profile.dob },
          { label: 'Gender', value: profile.gender },
          ...more,
          ...(addedAt === null ? [] : [{ label: 'Added At', value: addedAt }]),
          ...(addedBy === null ? [] : [{ label: 'Added By', value: addedBy }]),
          ...(updatedAt === null ? [] : [{ label: 'Last Updated At', value: updatedAt }]),
          ...(updatedBy === null ? [] : [{ label: 'Last Updated By', value: updatedBy }]),
        ]}
      />
    </Card>
  );
}
