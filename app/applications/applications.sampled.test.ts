// Applications from the request to the decision: races on a real database, mails, log entries, and none on a refusal.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readSession, type SignedIn } from '#app/access/session.server.ts';
import { signIn } from '#app/sign-in/sign-in.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { applicationOf } from '#test/applications.ts';
import { addPerson, addSignedIn, cookieOf, VISITOR } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { sampled } from '#test/sample.ts';
import { approveApplication } from './approve-application.server.ts';
import { deleteApplication } from './delete-application.server.ts';
import { findApplication } from './queries.server.ts';
import { requestRegistration } from './request-registration.server.ts';

const ROUNDS = sampled(100);
const FIRST = { by: 'admin', password: 'first words of the yard' } as const;

let services: TestServices;
let mia: SignedIn;
let ali: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  ali = await addSignedIn(services, 'admin', 'ali@registry.example', 'Ali Baker');
});
afterAll(() => services.stop());
beforeEach(() => services.db.deleteFrom('mail').execute());

let made = 0;
const newEmail = () => `office${(made += 1)}@northside.example`;
const request = (email: string, key: unknown = newIdempotencyKey(), address = '192.0.2.1') =>
  requestRegistration(services, address, { input: applicationOf(email), key });
const approve = (who: SignedIn, email: string, key: unknown = newIdempotencyKey()) =>
  approveApplication(services, who, { email, first: FIRST, key });

const mails = async () =>
  (await services.db.selectFrom('mail').select(['kind', 'recipient']).orderBy('id').execute()).map(
    ({ kind, recipient }) => `${kind} ${recipient}`,
  );
/** All that the registry stores about an address, to show that a decision is never half done. */
async function stateOf(email: string) {
  const { db } = services;
  const technicians = await db.selectFrom('technician').selectAll().where('email', '=', email).execute();
  const accounts = await db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.userId')
    .select('account.id')
    .where('person.email', '=', email)
    .execute();
  const logged = await db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select('kind')
    .where('activityDetail.details', 'like', `${email} %`)
    .orderBy('activityLog.index')
    .execute();
  return {
    technicians: technicians.filter(({ deletedAt }) => deletedAt === null),
    accounts: accounts.length,
    open: (await findApplication(db, email)).state === 'open',
    kinds: logged.map(({ kind }) => kind),
  };
}

test('a request is one application, one mail to the applicant, one log entry; sent twice, still', async () => {
  const email = newEmail();
  const key = newIdempotencyKey();
  expect(await request(email, key)).toEqual({ requested: true });
  expect(await request(email, key)).toEqual({ requested: true });
  expect(await mails()).toEqual([`application-received ${email}`]);
  expect(await stateOf(email)).toMatchObject({
    technicians: [],
    accounts: 0,
    open: true,
    kinds: ['application.submitted'],
  });
  expect(await request(email)).toEqual({ requested: false, reason: 'already-requested' });
  expect(await request('mia@registry.example')).toEqual({ requested: false, reason: 'already-registered' });
  // Only the mailbox is told that the address is known.
  expect((await mails()).slice(1)).toEqual([
    `application-already-requested ${email}`,
    'application-already-registered mia@registry.example',
  ]);
});

test('five requests an hour of one visitor; the sixth is told when to try again', async () => {
  const limited = { ...services, config: { ...services.config, rateLimits: true } };
  for (let nth = 1; nth <= 5; nth += 1)
    expect(
      await requestRegistration(limited, '192.0.2.9', { input: applicationOf(newEmail()), key: newIdempotencyKey() }),
    ).toEqual({
      requested: true,
    });
  const sixth = newEmail();
  expect(
    await requestRegistration(limited, '192.0.2.9', { input: applicationOf(sixth), key: newIdempotencyKey() }),
  ).toMatchObject({
    requested: false,
    reason: 'too-many-requests',
  });
  expect(await findApplication(services.db, sixth)).toEqual({ state: 'unknown' });
  expect(
    await requestRegistration(limited, '192.0.2.10', { input: applicationOf(sixth), key: newIdempotencyKey() }),
  ).toEqual({
    requested: true,
  });
});

test('an approval is account, technician with all data, end of the application, mail and log entry at once', async () => {
  const email = newEmail();
  await request(email);
  expect(await approve(mia, email)).toEqual({ approved: true });
  const { technicians, accounts, open, kinds } = await stateOf(email);
  expect(technicians).toMatchObject([
    {
      companyName: `Company of ${email}`,
      abn: '51 824 753 556',
      tradeLicenceNum: 'SL-20418',
      address: '14 Gaffney Street, Coburg VIC 3058',
      repName: 'Priya Raman',
      repContact: '0491 570 156',
      requestedAt: services.now(),
      addedAt: services.now(),
    },
  ]);
  expect([accounts, open, kinds]).toEqual([1, false, ['application.submitted', 'technician.approved']]);
  expect((await mails()).at(-1)).toBe(`technician-approved ${email}`);
  const answer = await signIn(services, VISITOR, { email, password: FIRST.password });
  if (answer.state !== 'signed-in') throw new Error(answer.state);
  const { signedIn: who } = await readSession(services, new Headers({ cookie: cookieOf(answer.setCookies) }), 'look');
  expect(who).toMatchObject({ role: 'technician', name: 'Priya Raman', mustChangePassword: true });
});

test('a common first password is refused, and nothing happened', async () => {
  const email = newEmail();
  await request(email);
  const answer = await approveApplication(services, mia, {
    email,
    first: { by: 'admin', password: 'password1' },
    key: newIdempotencyKey(),
  });
  expect(answer).toMatchObject({ approved: false, reason: 'password' });
  expect(await stateOf(email)).toMatchObject({
    technicians: [],
    accounts: 0,
    open: true,
    kinds: ['application.submitted'],
  });
});

test('with a link instead there is no password until the technician sets one', async () => {
  const email = newEmail();
  await request(email);
  expect(await approveApplication(services, mia, { email, first: { by: 'link' }, key: newIdempotencyKey() })).toEqual({
    approved: true,
  });
  expect(await stateOf(email)).toMatchObject({ technicians: [{ email }], accounts: 0, open: false });
  expect((await mails()).at(-1)).toBe(`technician-approved-link ${email}`);
});

test('approved twice at once: one account, one technician, one entry; the second is told by whom (hazard 2)', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = newEmail();
    await request(email);
    const key = newIdempotencyKey();
    // Two admins at once; the first one double-clicks.
    const answers = await Promise.all([approve(mia, email, key), approve(ali, email), approve(mia, email, key)]);
    const [first, second, again] = answers;
    expect(first).toEqual(again);
    expect(answers.filter(({ approved }) => approved)).toHaveLength(first?.approved === true ? 2 : 1);
    const refused = first?.approved === true ? second : first;
    expect(refused).toMatchObject({
      approved: false,
      reason: 'decided',
      decision: 'approved',
      by: first?.approved === true ? 'Mia Kowalski' : 'Ali Baker',
    });
    const state = await stateOf(email);
    expect([state.technicians.length, state.accounts, state.open]).toEqual([1, 1, false]);
    expect(state.kinds).toEqual(['application.submitted', 'technician.approved']);
  }
}, 120_000);

test('an address that has an account meanwhile: refused, nothing changed, the application stays (hazard 3)', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = newEmail();
    await request(email);
    // The address is added as an admin in another way, before the approval or at the same time.
    const adding = () => addPerson(services.db, 'admin', email, { name: 'Other' });
    if (round % 2 === 0) {
      await adding();
      const before = await passwordOf(email);
      expect(await approve(mia, email)).toEqual({ approved: false, reason: 'email-already-in-use' });
      expect(await passwordOf(email)).toBe(before);
      const state = await stateOf(email);
      expect([state.technicians.length, state.accounts, state.open]).toEqual([0, 1, true]);
      expect(state.kinds).toEqual(['application.submitted']);
    } else {
      const answers = await Promise.allSettled([approve(mia, email), adding()]);
      expect(answers[0]?.status).toBe('fulfilled');
      const state = await stateOf(email);
      expect(state.accounts).toBe(1);
      expect(state.technicians.length).toBe(state.open ? 0 : 1);
    }
    await sql`update admin set deleted_at = now() where email = ${email}`.execute(services.db);
  }
}, 120_000);

test('approved against deleted at once: one wins, the loser is told; never a technician without data (hazard 4)', async () => {
  const won = { approved: 0, deleted: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = newEmail();
    await request(email);
    const deleting = () => deleteApplication(services, ali, { email, reason: 'We know another licence.' });
    const both = [() => approve(mia, email), deleting] as const;
    const answers = await Promise.all(round % 2 === 0 ? [both[0](), both[1]()] : [both[1](), both[0]()].toReversed());
    const approved = answers.some((answer) => 'approved' in answer && answer.approved);
    const deleted = answers.some((answer) => 'deleted' in answer && answer.deleted);
    expect([approved, deleted].filter(Boolean)).toHaveLength(1);
    won[approved ? 'approved' : 'deleted'] += 1;
    expect(answers.find((answer) => 'reason' in answer)).toMatchObject({
      reason: 'decided',
      decision: approved ? 'approved' : 'deleted',
      by: approved ? 'Mia Kowalski' : 'Ali Baker',
    });
    const state = await stateOf(email);
    expect([state.technicians.length, state.accounts, state.open]).toEqual(approved ? [1, 1, false] : [0, 0, false]);
    if (approved)
      expect(state.technicians[0]).toMatchObject({ companyName: `Company of ${email}`, repName: 'Priya Raman' });
    expect(state.kinds).toEqual(['application.submitted', approved ? 'technician.approved' : 'application.deleted']);
  }
  expect(won.approved + won.deleted).toBe(ROUNDS);
}, 120_000);

test('eight requests of one address at once are one application', async () => {
  for (let round = 0; round < sampled(20); round += 1) {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(email)));
    expect(answers.filter(({ requested }) => requested)).toHaveLength(1);
    const rows = await services.db.selectFrom('application').select('id').where('email', '=', email).execute();
    expect(rows).toHaveLength(1);
  }
}, 60_000);

test('declined: a mail with the reason, and the same address may ask again', async () => {
  const email = newEmail();
  await request(email);
  const key = newIdempotencyKey();
  const decline = () => deleteApplication(services, mia, { email, reason: 'The licence has run out.', key });
  expect(await decline()).toEqual({ deleted: true });
  expect(await decline()).toEqual({ deleted: true });
  const mail = await services.db.selectFrom('mail').select(['kind', 'facts']).orderBy('id', 'desc').limit(1).execute();
  expect(mail).toEqual([
    { kind: 'application-declined', facts: { company: `Company of ${email}`, reason: 'The licence has run out.' } },
  ]);
  expect(await deleteApplication(services, ali, { email, reason: '' })).toMatchObject({
    deleted: false,
    reason: 'decided',
    decision: 'deleted',
    by: 'Mia Kowalski',
  });
  expect(await deleteApplication(services, ali, { email: newEmail(), reason: '' })).toEqual({
    deleted: false,
    reason: 'unknown',
  });
  expect(await request(email)).toEqual({ requested: true });
  expect(await stateOf(email)).toMatchObject({ open: true });
});

async function passwordOf(email: string) {
  const row = await services.db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.userId')
    .select('account.password')
    .where('person.email', '=', email)
    .executeTakeFirst();
  return row?.password;
}
