// Updates a person's own profile, or the record of somebody of the office edited by an admin.
import type { AccountRole } from '#app/access/permissions.ts';
import { kindWords } from '#app/activity-log/activity.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { commitUpload } from '#app/files/temporary-upload.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { portraitPrefix } from './email.ts';
import type { ProfileInput } from './profile.ts';
import { findProfile, tableOf, type Profile } from './profile-queries.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { ActivityChange } from '#database/tables.ts';

export type UpdateProfileAnswer =
  | { updated: true }
  | { updated: false; reason: 'gone' | 'image-missing' }
  /** Somebody saved since the form was opened. `now`: the stored profile. */
  | { updated: false; reason: 'stale'; now: Profile };

/** The activity to log: for one's own profile, and for a record of the office. */
export const PROFILE_UPDATED = { kind: 'profile.updated', action: 'Profile updated' } as const;
export const recordUpdated = (role: AccountRole) => {
  const kind = `${role}.updated` as const;
  return { kind, action: kindWords(kind) };
};

export type ProfileEntry = typeof PROFILE_UPDATED | ReturnType<typeof recordUpdated>;
type Target = Pick<Profile, 'role' | 'recordId'>;

const FIELDS = ['name', 'phone', 'address', 'roleLabel', 'bornOn', 'gender', 'notes', 'imageId'] as const;

/** Updates `target`. Refused when its version is no longer the form's. An unchanged form appends no activity. */
export async function updateProfile(
  services: Services,
  who: SignedIn,
  {
    target,
    input,
    key,
    entry = PROFILE_UPDATED,
  }: { target: Target; input: ProfileInput & { role?: string }; key: unknown; entry?: ProfileEntry },
): Promise<UpdateProfileAnswer> {
  const { db } = services;
  const known = await findProfile(db, target);
  if (known === undefined) return { updated: false, reason: 'gone' };
  // The file is committed before the transaction that refers to it: storage cannot be rolled back.
  const image =
    input.image === ''
      ? undefined
      : await commitUpload(services, who.personId, {
          role: 'image',
          id: input.image,
          prefix: portraitPrefix(known.email),
        });
  if (input.image !== '' && image === undefined) return { updated: false, reason: 'image-missing' };
  // Only the record's id goes into the key's values: its other fields change with the save, and a retry must still
  // match.
  const { role, recordId } = target;
  const values = { role, recordId, ...input, image: image?.fileId };
  return idempotent<UpdateProfileAnswer>(db, { who, kind: entry.kind, key, values }, async (tx) => {
    await tx.selectFrom(tableOf(target.role)).select('id').where('id', '=', target.recordId).forUpdate().execute();
    const before = await findProfile(tx, target);
    if (before === undefined) return { updated: false, reason: 'gone' };
    if (before.version !== input.version) return { updated: false, reason: 'stale', now: before };
    const after = {
      ...input,
      roleLabel: input.role ?? before.roleLabel,
      bornOn: input.dob,
      imageId: image?.fileId ?? before.imageId,
    };
    const changes: ActivityChange[] = FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
      field: WORDS[field] ?? field,
      from: before[field],
      to: after[field],
    }));
    if (changes.length === 0) return DONE;
    const actorId = await actorOf(tx, who);
    await write(tx, target, { ...after, updatedBy: actorId, version: before.version + 1 });
    await appendActivity(tx, {
      ...entry,
      actorId,
      subject: target.role,
      subjectId: target.recordId,
      details: `${before.email} updated`,
      changes,
      persons: [before.personId, who.personId],
    });
    return DONE;
  });
}

// The form's field names, where they differ from ours.
const WORDS: Partial<Record<(typeof FIELDS)[number], string>> = { bornOn: 'dob', imageId: 'image', roleLabel: 'role' };

const DONE = { updated: true } as const;

type Written = Omit<ProfileInput, 'dob' | 'image'> & {
  roleLabel: string;
  bornOn: string | null;
  imageId: string | null;
  updatedBy: number;
};

async function write(tx: Tx, target: Target, to: Written): Promise<void> {
  const { name, phone, address, roleLabel, bornOn, gender, notes, imageId, updatedBy, version } = to;
  const shared = { address, bornOn, gender, notes, imageId, updatedBy, version, updatedAt: new Date() };
  if (tableOf(target.role) === 'staff')
    await tx
      .updateTable('staff')
      .set({ ...shared, name, phone, roleLabel })
      .where('id', '=', target.recordId)
      .execute();
  else
    await tx
      .updateTable('technician')
      .set({ ...shared, repName: name, repContact: phone })
      .where('id', '=', target.recordId)
      .execute();
}
