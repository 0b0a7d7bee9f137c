// A request to be listed as a technician; anybody can send one. An address has at most one open application.
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { mailboxOf } from '#app/people/email-key.ts';
import { lockPerson } from '#app/people/lock-person.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { takeHit, type Limit } from '#app/platform/database/rate-limit.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { ApplicationInput } from './application.ts';

export const REGISTRATION_PER_ADDRESS: Limit = { max: 5, windowMs: 60 * 60 * 1000 };

export type RequestAnswer =
  | { requested: true }
  | { requested: false; reason: 'already-registered' | 'already-requested' }
  | { requested: false; reason: 'too-many-requests'; retryAfterSeconds: number };

/** `address`: the visitor's network address, for the rate limit. A form sent twice (same `key`) is one request. */
export async function requestRegistration(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  address: string,
  { input, key }: { input: ApplicationInput; key: unknown },
): Promise<RequestAnswer> {
  const { db, config, now } = services;
  if (config.rateLimits && !(await isKnownForm(db, key))) {
    const hit = await takeHit(db, ['registration', address], { limit: REGISTRATION_PER_ADDRESS, now: now() });
    if (!hit.allowed)
      return { requested: false, reason: 'too-many-requests', retryAfterSeconds: hit.retryAfterSeconds };
  }
  const answer = await db.transaction().execute<RequestAnswer>(async (tx) => {
    const { email } = input;
    // Waits for a concurrent approval or request of the same address.
    const { personId, account } = await lockPerson(tx, email);
    if (await isKnownForm(tx, key)) return { requested: true };
    if (account !== undefined) return { requested: false, reason: 'already-registered' };
    const added = await tx
      .insertInto('application')
      .values({
        email,
        companyName: input.company_name,
        abn: input.abn,
        tradeLicenceNum: input.trade_licence_num,
        address: input.address,
        repName: input.rep_name,
        repContact: input.rep_contact,
        requestedAt: now(),
        formKey: isUuid(key) ? key : null,
      })
      .onConflict((conflict) => conflict.column('email').where('decision', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (added === undefined) return { requested: false, reason: 'already-requested' };
    const name = (input.rep_name || input.company_name).slice(0, 200);
    const actorId = await findOrAddActor(tx, { name, email, personId });
    const facts = { company: input.company_name, email };
    await queueMail(tx, { kind: 'application-received', recipient: email, facts });
    await appendActivity(tx, {
      kind: 'application.submitted',
      actorId,
      subject: 'application',
      subjectId: added.id,
      details: `${email} asked to be registered`,
    });
    return { requested: true };
  });
  if (!answer.requested) await mailOwner(services, input.email, answer.reason);
  return answer;
}

// The page answers alike whether or not the address is known here: only its mailbox is told which.
async function mailOwner(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  email: string,
  reason: (RequestAnswer & { requested: false })['reason'],
): Promise<void> {
  if (reason === 'too-many-requests') return;
  const mailbox = ['registration-known', mailboxOf(email)];
  if (config.rateLimits && !(await takeHit(db, mailbox, { limit: REGISTRATION_PER_ADDRESS, now: now() })).allowed)
    return;
  await db.transaction().execute((tx) => queueMail(tx, { kind: `application-${reason}`, recipient: email, facts: {} }));
}

async function isKnownForm(db: Services['db'] | Tx, key: unknown): Promise<boolean> {
  if (!isUuid(key)) return false;
  const known = await db.selectFrom('application').select('id').where('formKey', '=', key).executeTakeFirst();
  return known !== undefined;
}
