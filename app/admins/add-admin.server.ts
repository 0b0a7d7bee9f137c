// An admin admits another one. The first password is typed by the giver, and so must be changed at the first sign-in.
import { z } from 'zod';
import { portraitPrefix } from '#app/people/email.ts';
import { lockPerson } from '#app/people/lock-person.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { weaknessOf } from '#app/sign-in/weak-password.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { settleStaged } from '#app/files/stage-upload.server.ts';
import { keyOfForm, once } from '#app/platform/database/form-key.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { AddAdminInput } from './admin.ts';

const addedSchema = z.object({ added: z.literal(true) });
export type AddAdminAnswer =
  | z.infer<typeof addedSchema>
  | { added: false; reason: 'email-in-use' }
  | { added: false; reason: 'image-missing' }
  | { added: false; reason: 'password'; message: string };

/** Whoever was removed under this address before begins anew; whoever is an admin or technician now is refused. */
export async function addAdmin(
  services: Services,
  who: SignedIn,
  input: AddAdminInput,
  formKey: unknown,
): Promise<AddAdminAnswer> {
  const { db, config } = services;
  const { email, name, phone, address, role: roleLabel, dob: bornOn, notes } = input;
  const weakness = await weaknessOf(config, input.password, [name, email]);
  if (weakness !== undefined) return { added: false, reason: 'password', message: weakness };
  // Stored for good before the transaction that refers to it.
  const image =
    input.image === '' ? null : await settleStaged(services, who.personId, 'image', input.image, portraitPrefix(email));
  if (image === undefined) return { added: false, reason: 'image-missing' };
  const hash = await hashPassword(input.password);
  const form = {
    key: keyOfForm(formKey, 'admin.added', input),
    personId: who.personId,
    parse: (kept: unknown): AddAdminAnswer => addedSchema.parse(kept),
    took: ({ added }: AddAdminAnswer) => added,
  };
  return once<AddAdminAnswer>(db, form, async (tx) => {
    const { personId, standing } = await lockPerson(tx, email);
    if (standing !== undefined) return { added: false, reason: 'email-in-use' };
    const actorId = await actorOf(tx, who);
    const { id: recordId } = await tx
      .insertInto('admin')
      .values({
        personId,
        email,
        name,
        phone,
        address,
        roleLabel,
        bornOn,
        notes,
        imageId: image?.fileId ?? null,
        addedAt: new Date(),
        addedBy: actorId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setPassword(tx, { personId, name: name || email, email, hash, mustChange: true });
    await queueMail(tx, { kind: 'admin-added', recipient: email, facts: { by: who.name } });
    await appendActivities(tx, [
      {
        kind: 'admin.added',
        actorId,
        subject: 'admin',
        subjectId: recordId,
        details: `${email} added`,
        persons: [personId, who.personId],
      },
    ]);
    return { added: true };
  });
}
