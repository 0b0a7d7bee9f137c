// An admin adds another one, or an auditor, and types their first password, which must be changed at the first sign-in.
import { portraitPrefix } from '#app/people/email.ts';
import { mailAdmins } from '#app/people/letters.server.ts';
import { lockPerson } from '#app/people/lock-person.server.ts';
import { withRoleChange } from '#app/people/role-change.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { weaknessOf } from '#app/sign-in/weak-password.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { commitUpload } from '#app/files/temporary-upload.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { staffEvents } from '#app/transparency-log/events.server.ts';
import type { AddAdminInput } from './admin.ts';

export type AddAdminAnswer =
  | { added: true }
  | { added: false; reason: 'email-in-use' | 'image-missing' }
  | { added: false; reason: 'password'; message: string };

/** A removed person's address can be added again, without their old access. The address of a live one is refused. */
export async function addAdmin(
  services: Services,
  who: SignedIn,
  { input, key }: { input: AddAdminInput; key: unknown },
): Promise<AddAdminAnswer> {
  const { db, config, now } = services;
  const { email, name, phone, address, role: roleLabel, dob: bornOn, notes, access = 'admin' } = input;
  const weakness = await weaknessOf(config, input.password, [name, email]);
  if (weakness !== undefined) return { added: false, reason: 'password', message: weakness };
  // The file is committed before the transaction that refers to it: storage cannot be rolled back.
  const image =
    input.image === ''
      ? null
      : await commitUpload(services, who.personId, { role: 'image', id: input.image, prefix: portraitPrefix(email) });
  if (image === undefined) return { added: false, reason: 'image-missing' };
  const hash = await hashPassword(input.password);
  return idempotent<AddAdminAnswer>(db, { who, kind: 'admin.added', key, values: input }, async (tx) => {
    const { personId, account } = await lockPerson(tx, email);
    if (account !== undefined) return { added: false, reason: 'email-in-use' };
    const actorId = await actorOf(tx, who);
    const { id: recordId } = await tx
      .insertInto('staff')
      .values({
        role: access,
        personId,
        email,
        name,
        phone,
        address,
        roleLabel,
        bornOn,
        notes,
        imageId: image?.fileId ?? null,
        addedAt: now(),
        addedBy: actorId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setPassword(tx, { personId, name: name || email, email, hash, mustChange: true });
    await queueMail(tx, { kind: 'admin-added', recipient: email, facts: { by: who.name } });
    await mailAdmins(tx, { what: 'admin-added', about: email, role: access, by: who.name, path: '/admins' });
    for (const event of staffEvents(access, 'added', { id: recordId, name: name || email }))
      await appendLeaves(tx, await withRoleChange(tx, personId, event));
    await appendActivity(tx, {
      kind: `${access}.added`,
      actorId,
      subject: access,
      subjectId: recordId,
      details: `${email} added`,
      persons: [personId, who.personId],
    });
    return { added: true };
  });
}
