// A person's own profile, or an admin's record changed by an admin.
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { settleStaged } from '#app/files/stage-upload.server.ts';
import { keyOfForm, once } from '#app/platform/database/form-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { portraitPrefix } from './email.ts';
import type { ProfileInput } from './profile.ts';
import { findProfile, type Profile } from './profile-queries.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { ActivityChange } from '#database/tables.ts';

export type UpdateProfileAnswer =
  | { updated: true }
  | { updated: false; reason: 'gone' }
  | { updated: false; reason: 'image-missing' }
  /** Somebody saved in between: what stands there now. */
  | { updated: false; reason: 'stale'; now: Profile };

/** What the log says: of one's own profile, or of an admin's record. */
export const PROFILE_UPDATED = { kind: 'profile.updated', action: 'Profile updated' } as const;
export const ADMIN_UPDATED = { kind: 'admin.updated', action: 'Admin updated' } as const;

const FIELDS = ['name', 'phone', 'address', 'roleLabel', 'bornOn', 'gender', 'notes', 'imageId'] as const;

/** Updates `target`; refused when its version is no longer the form's. An unchanged form is no entry in the log. */
export async function updateProfile(
  services: Services,
  who: SignedIn,
  target: { role: 'admin' | 'technician'; recordId: string },
  input: ProfileInput & { role?: string },
  formKey: unknown,
  entry: typeof PROFILE_UPDATED | typeof ADMIN_UPDATED = PROFILE_UPDATED,
): Promise<UpdateProfileAnswer> {
  const { db } = services;
  const known = await findProfile(db, target);
  if (known === undefined) return { updated: false, reason: 'gone' };
  // Stored for good before the transaction that refers to it.
  const image =
    input.image === ''
      ? undefined
      : await settleStaged(services, who.personId, 'image', input.image, portraitPrefix(known.email));
  if (input.image !== '' && image === undefined) return { updated: false, reason: 'image-missing' };
  // Of whose record it is, no more: what stands in it is another thing once the form was saved.
  const { role, recordId } = target;
  const key = keyOfForm(formKey, entry.kind, { role, recordId, ...input, image: image?.fileId });
  const form = { key, personId: who.personId, parse: () => DONE, took: isDone };
  return once<UpdateProfileAnswer>(db, form, async (tx) => {
    await tx.selectFrom(target.role).select('id').where('id', '=', target.recordId).forUpdate().execute();
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
    await appendActivities(tx, [
      {
        ...entry,
        actorId,
        subject: target.role,
        subjectId: target.recordId,
        details: `${before.email} updated`,
        changes,
        persons: [before.personId, who.personId],
      },
    ]);
    return DONE;
  });
}

// The form's own names.
const WORDS: Partial<Record<(typeof FIELDS)[number], string>> = { bornOn: 'dob', imageId: 'image', roleLabel: 'role' };

const DONE = { updated: true } as const;
const isDone = (answer: UpdateProfileAnswer) => answer.updated;

type Written = Omit<ProfileInput, 'dob' | 'image'> & {
  roleLabel: string;
  bornOn: string | null;
  imageId: string | null;
  updatedBy: number;
};

async function write(tx: Tx, target: { role: 'admin' | 'technician'; recordId: string }, to: Written): Promise<void> {
  const { name, phone, address, roleLabel, bornOn, gender, notes, imageId, updatedBy, version } = to;
  const shared = { address, bornOn, gender, notes, imageId, updatedBy, version, updatedAt: new Date() };
  if (target.role === 'admin')
    await tx
      .updateTable('admin')
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
