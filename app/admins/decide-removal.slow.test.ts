// A removal of an admin waits for a second one, and lapses when it is refused. Until then the removed one counts as one
// who exists.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSession, type SignedIn } from '#app/access/session.server.ts';
import { erasePerson } from '#app/people/erase-person.server.ts';
import { hasOtherAdmin, secondPerson } from '#app/people/two-people.server.ts';
import { createAdmin } from '#app/sign-in/set-up-registry.server.ts';
import { signIn } from '#app/sign-in/sign-in.server.ts';
import { listEntries, listMails } from '#test/admins.ts';
import { addedDaysAgo, addPerson, addSignedIn, PASSWORD, signedIn, VISITOR } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { listRemovals, shownRemovals } from './queries.server.ts';
import { decideRemoval, endDueRemovals, removeAdmin, type RemovalDecision } from './remove-admin.server.ts';

let services: TestServices;
let mia: SignedIn;
let ruth: SignedIn;
beforeEach(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-24T00:00:00Z');
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  ruth = await addSignedIn(services, 'admin', 'ruth@registry.example', 'Ruth');
});
afterEach(() => services.stop());

/** Mia removes them; the removal's id. */
async function remove(email: string): Promise<string> {
  expect(await removeAdmin(services, mia, { email })).toEqual({ removed: true });
  return (await listRemovals(services.db)).at(-1)?.id ?? '';
}
const decide = (who: SignedIn, id: string, decision: RemovalDecision) =>
  decideRemoval(services, who, { id, decision, key: undefined });
const canSignIn = async (email: string) =>
  (await signIn(services, VISITOR, { email, password: PASSWORD })).state === 'signed-in';

test('a second admin confirms it: it stands; nobody else does', async () => {
  const eve = await addSignedIn(services, 'admin', 'eve@registry.example', 'Eve');
  const id = await remove(eve.email);
  expect(await shownRemovals(services.db, ruth.personId, 'UTC')).toEqual([
    {
      id,
      who: 'Eve, eve@registry.example',
      by: 'Mia',
      since: '24 November 2026, 12:00 am',
      until: '1 December 2026, 12:00 am',
      isOwn: false,
    },
  ]);
  expect(await canSignIn(eve.email)).toBe(false);
  expect(await decide(mia, id, 'confirm')).toEqual({ decided: false, reason: 'own' });
  expect(await decide(eve, id, 'refuse')).toEqual({ decided: false, reason: 'no-admin-any-more' });
  expect(await decide(ruth, id, 'confirm')).toEqual({ decided: true });
  expect(await decide(ruth, id, 'refuse')).toEqual({ decided: false, reason: 'gone' });
  expect(await services.db.selectFrom('account').select('id').where('userId', '=', eve.personId).execute()).toEqual([]);
});

test('a second admin refuses it: it lapses, and the person signs in again; the one who removed may take it back', async () => {
  const { cookie, who: eve } = await addWithCookie('eve@registry.example');
  for (const who of [ruth, mia]) {
    const id = await remove(eve.email);
    expect((await readSession(services, new Headers({ cookie }), 'look')).signedIn).toBeNull();
    expect(await canSignIn(eve.email)).toBe(false);
    expect(await decide(who, id, 'refuse')).toEqual({ decided: true });
    expect(await canSignIn(eve.email)).toBe(true);
    await endDueRemovals({ db: services.db, now: () => new Date('2027-11-24T00:00:00Z') });
    expect(await canSignIn(eve.email)).toBe(true);
  }
  expect((await listEntries(services.db)).map(({ kind, details }) => [kind, details])).toEqual(
    [1, 2].flatMap(() => [
      ['admin.removed', 'eve@registry.example removed'],
      ['removal.refused', 'eve@registry.example: removal refused'],
    ]),
  );
});

test('after seven days it stands by itself, once, and is told to every admin', async () => {
  const eve = await addSignedIn(services, 'admin', 'eve@registry.example', 'Eve');
  await remove(eve.email);
  services.setNow('2026-11-30T23:59:59Z');
  await endDueRemovals(services);
  expect(await listRemovals(services.db)).toHaveLength(1);
  services.setNow('2026-12-01T00:00:00Z');
  await Promise.all([endDueRemovals(services), endDueRemovals(services)]);
  expect(await listRemovals(services.db)).toEqual([]);
  expect((await listMails(services.db)).map(({ recipient, facts }) => `${facts['what']} ${recipient}`)).toEqual([
    // The removed one too, who can only ask the others.
    'admin-removed eve@registry.example',
    'admin-removed mia@registry.example',
    'admin-removed ruth@registry.example',
    'removal-confirmed mia@registry.example',
    'removal-confirmed ruth@registry.example',
  ]);
});

test('an account made a minute ago confirms no removal, and refuses none, while one of 90 days could', async () => {
  const alias = await addSignedIn(services, 'admin', 'mia2@registry.example', 'Mia again');
  await addedDaysAgo(services.db, alias, 0, services.now());
  const id = await remove(ruth.email);
  // Ruth exists until it stands, and has been an admin for 90 days.
  expect(await decide(alias, id, 'confirm')).toEqual({ decided: false, reason: 'too-new' });
  const { db } = services;
  expect(await secondPerson(db, alias.personId, { parts: [mia.personId], now: services.now() })).toMatchObject({
    may: false,
  });
  const eve = await addSignedIn(services, 'admin', 'eve@registry.example', 'Eve');
  expect(await decide(alias, id, 'refuse')).toEqual({ decided: false, reason: 'too-new' });
  expect(await decide(eve, id, 'refuse')).toEqual({ decided: true });
});

test('while it waits, the removed one exists: their address is taken, their data are kept, nobody is alone', async () => {
  const id = await remove(ruth.email);
  expect(await hasOtherAdmin(services.db, mia.personId)).toBe(true);
  const words = { email: ruth.email, name: 'Ruth', password: 'four green weighbridges', mustChange: false };
  expect(await createAdmin(services, words)).toMatchObject({
    created: false,
    message: expect.stringContaining('another admin may still refuse that'),
  });
  expect(await erasePerson(services, mia, { personId: ruth.personId, reason: 'asked' })).toEqual({
    erased: false,
    reason: 'removal-open',
  });
  const eve = await addSignedIn(services, 'admin', 'eve@registry.example', 'Eve');
  expect(await decide(eve, id, 'confirm')).toEqual({ decided: true });
  expect(await erasePerson(services, mia, { personId: ruth.personId, reason: 'asked' })).toMatchObject({
    erased: true,
  });
  expect(await createAdmin(services, words)).toEqual({ created: true });
});

test('of two who decide at once one is told that it is gone', async () => {
  const eve = await addSignedIn(services, 'admin', 'eve@registry.example', 'Eve');
  const ann = await addSignedIn(services, 'admin', 'ann@registry.example', 'Ann');
  const id = await remove(eve.email);
  const answers = await Promise.all([decide(ruth, id, 'confirm'), decide(ann, id, 'refuse')]);
  expect(answers.filter(({ decided }) => decided)).toHaveLength(1);
  expect(answers).toContainEqual({ decided: false, reason: 'gone' });
});

test('an imported admin without a date has been one since the import', async () => {
  const imported = await addPerson(services.db, 'admin', 'old@registry.example');
  const at = new Date('2026-11-20T00:00:00Z');
  await sql`insert into activity_log (index, at, occurred_at, kind, origin, subject, subject_id)
    values (0, ${at}, ${at}, 'admin.imported', 'imported', 'admin', ${imported.recordId})`.execute(services.db);
  const of = (now: string) =>
    secondPerson(services.db, imported.personId, { parts: [mia.personId], now: new Date(now) });
  expect(await of('2027-02-17T23:59:59Z')).toEqual({ may: false, reason: 'too-new' });
  expect(await of('2027-02-18T00:00:00Z')).toEqual({ may: true, isAlone: false, addedDays: null });
});

async function addWithCookie(email: string) {
  await addPerson(services.db, 'admin', email, { name: 'Eve' });
  return signedIn(services, email);
}
