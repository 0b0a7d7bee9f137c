// Following a vehicle by email, from the first mail to the last. No mail is sent twice.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { composeMail } from '#server/compose-mail.ts';
import { openMail } from '#app/platform/mail/mail.server.ts';
import { clickOnce } from '#test/one-click.ts';
import { takeMails } from '#test/queued-mails.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { askToFollow } from './ask-to-follow.server.ts';
import { DAYS_BEFORE, dayReached, nextLook } from './follower.ts';
import { confirmFollowing, endFollowing, undoEnding } from './keep-following.server.ts';
import { sweepFollowers, notifyFollowers } from './notify-followers.server.ts';

let services: TestServices;
beforeEach(async () => {
  services = await createTestServices({ PUBLIC_URL: 'https://registry.example', REGISTRY_NAME: 'Registry' });
  services.setNow('2026-11-21T00:00:00Z');
});
afterEach(() => services.stop());

const addVehicle = async (rego: string, nextCalibrationDueOn: string | null) => {
  const lastCalibratedAt = new Date('2026-11-01T01:00:00Z');
  const { id } = await services.db
    .insertInto('vehicle')
    .values({ rego, nextCalibrationDueOn, calibrationValidated: true, lastCalibratedAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
const change = (rego: string, set: Record<string, unknown>) =>
  services.db.updateTable('vehicle').set(set).where('rego', '=', rego).execute();

const mails = () => takeMails(services);
const tokenIn = (text = '') => /https:\/\/registry\.example\/following\/([\w-]{43})/.exec(text)?.[1] ?? '';

async function ask(rego: string, email = 'sam@fleet.example', client = '192.0.2.1') {
  const found = await services.db.selectFrom('vehicle').select('id').where('rego', '=', rego).executeTakeFirstOrThrow();
  return askToFollow(services, client, { email, vehicleId: found.id });
}

async function follow(rego: string, email = 'sam@fleet.example'): Promise<string> {
  await ask(rego, email);
  const [mail] = await mails();
  const token = tokenIn(mail?.text);
  expect(await confirmFollowing(services, token)).toBe(true);
  await notify();
  expect(await mails()).toEqual([]);
  return token;
}
const notify = () => notifyFollowers(services, () => false);
/** The subjects of the mails to followers at noon of `day` in Sydney. */
const subjectsOn = async (day: string) => {
  services.setNow(`${day}T01:00:00Z`);
  await notify();
  return (await mails()).map(({ subject }) => subject);
};
const followers = async () => (await services.db.selectFrom('follower').selectAll().execute()).length;

test('nothing is sent before the link in the mail was confirmed; leaving erases everything', async () => {
  const { db } = services;
  await addVehicle('AAA1', '2026-11-21');
  expect(await ask('AAA1')).toEqual({ allowed: true });
  await notify();
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect([mail?.to, mail?.subject]).toEqual(['sam@fleet.example', 'Follow AAA1?: Registry']);
  const token = tokenIn(mail?.text);
  const kept = JSON.stringify(await db.selectFrom('followerLink').selectAll().execute());
  expect([token.length, kept.includes(token)]).toEqual([43, false]);

  for (let time = 0; time < 2; time += 1) expect(await confirmFollowing(services, token)).toBe(true);
  const logged = await db.selectFrom('activityLog').select(['kind', 'actorId', 'topics']).execute();
  expect(logged).toEqual([{ kind: 'vehicle.followed', actorId: null, topics: ['logs'] }]);
  expect(await subjectsOn('2026-11-21')).toEqual(['AAA1: calibration due: Registry']);
  expect(await subjectsOn('2026-11-22')).toEqual(['AAA1: Overdue: Registry']);

  await change('AAA1', { calibrationValidated: false });
  await notify();
  const [last] = await mails();
  expect(last?.text).toContain('The verdict on the scale calibration of AAA1 has changed to: Not validated.');
  expect(last?.text).toContain('As at 22 November 2026, rules version 1.');
  expect(last?.text).toContain('https://registry.example/vehicles/view/AAA1');
  const leaving = tokenIn(last?.text);
  expect(last?.headers).toEqual({
    'List-Unsubscribe': `<https://registry.example/following/${leaving}/end>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  expect(await clickOnce([last ?? {}])).toEqual([200]);
  await change('AAA1', { calibrationValidated: true });
  await notify();
  for (let time = 0; time < 2; time += 1) await endFollowing(services, leaving);
  expect(await mails()).toEqual([]);
  services.setNow(new Date(services.now().getTime() + 61_000).toISOString());
  await notifyFollowers(services, () => false);
  const { rows } = await sql<{
    n: number;
  }>`select (select count(*) from follower) + (select count(*) from follower_link)
    + (select count(*) from mail) as n`.execute(db);
  expect(rows[0]?.n).toBe(0);
  expect(JSON.stringify(await db.selectFrom('activityDetail').selectAll().execute())).not.toContain('sam@');
});

test('an end is undone for a minute, with what was told; then the address is gone, and who asks again confirms again', async () => {
  const { db } = services;
  await addVehicle('AAA1', null);
  const token = await follow('AAA1');
  const kept = await db.selectFrom('follower').selectAll().execute();
  await endFollowing(services, token);
  await change('AAA1', { calibrationValidated: false });
  await notify();
  expect(await mails()).toEqual([]);
  for (let time = 0; time < 2; time += 1) await undoEnding(services, token);
  expect(await db.selectFrom('follower').select(['id', 'told', 'endedAt']).execute()).toEqual(
    kept.map(({ id, told }) => ({ id, told, endedAt: null })),
  );
  await notify();
  expect(await mails()).toHaveLength(1);
  const kinds = db.selectFrom('activityLog').select('kind').where('subject', '=', 'follower').orderBy('index');
  expect((await kinds.execute()).slice(-3).map(({ kind }) => kind)).toEqual([
    'vehicle.followed',
    'vehicle.unfollowed',
    'vehicle.followed',
  ]);
  await endFollowing(services, token);
  // Somebody else asks for the address: the one who ended it is not followed up without a word.
  await ask('AAA1');
  await undoEnding(services, token);
  expect(await db.selectFrom('follower').select('confirmedOn').execute()).toEqual([{ confirmedOn: null }]);
});

test('the headers for one click leave with the mail', async () => {
  await addVehicle('AAA1', null);
  await ask('AAA1');
  const outbox = openMail(services, composeMail(services), HELD_LEASE);
  await outbox.sendWaiting();
  await outbox.close();
  const folder = path.join(services.config.dataDir, 'outbox');
  const [file = ''] = await readdir(folder);
  const source = (await readFile(path.join(folder, file), 'utf8')).replaceAll(/\n\s+/g, ' ');
  expect(source).toMatch(/^List-Unsubscribe: <https:\/\/registry\.example\/following\/[\w-]{43}\/end>$/m);
  expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
});

test('the answer is the same for who follows already, who does not, and who asks too often; only clients are told', async () => {
  const id = await addVehicle('AAA1', null);
  await follow('AAA1');
  expect(await ask('AAA1')).toEqual({ allowed: true });
  const [mail] = await mails();
  expect(mail?.subject).toBe('You follow AAA1: Registry');
  expect(await services.db.selectFrom('follower').select(['vehicleId', 'confirmedOn']).execute()).toEqual([
    { vehicleId: id, confirmedOn: '2026-11-21' },
  ]);
  for (let time = 0; time < 3; time += 1) expect(await ask('AAA1')).toEqual({ allowed: true });
  expect(await mails()).toHaveLength(3);
  expect(await ask('AAA1')).toEqual({ allowed: true });
  expect(await mails()).toEqual([]);
  for (let time = 0; time < 20; time += 1) await ask('AAA1', `person${time}@x.example`, '192.0.2.9');
  expect(await ask('AAA1', 'one-more@x.example', '192.0.2.9')).toMatchObject({ allowed: false });
});

test('30 and 14 days before, on the day, and when the verdict turns: one mail each', async () => {
  await addVehicle('AAA1', '2027-01-31');
  await follow('AAA1');
  const heard: string[] = [];
  for (let day = Date.UTC(2026, 10, 21); day <= Date.UTC(2027, 1, 5); day += 86_400_000) {
    const on = new Date(day).toISOString().slice(0, 10);
    for (const subject of await subjectsOn(on)) heard.push(`${on} ${subject}`);
    for (const subject of await subjectsOn(on)) heard.push(`${on} again ${subject}`);
  }
  expect(heard).toEqual([
    // The verdict changes on the same day: one mail says both.
    '2027-01-01 AAA1: Due soon: Registry',
    '2027-01-17 AAA1: calibration due: Registry',
    '2027-01-31 AAA1: calibration due: Registry',
    '2027-02-01 AAA1: Overdue: Registry',
  ]);
});

test('after days without looking the last of what was missed is told, once', async () => {
  await addVehicle('AAA1', '2027-01-31');
  await follow('AAA1');
  expect(await subjectsOn('2027-01-20')).toEqual(['AAA1: Due soon: Registry']);
  expect(await subjectsOn('2027-01-21')).toEqual([]);
  expect(await subjectsOn('2027-02-20')).toEqual(['AAA1: Overdue: Registry']);
});

test('anybody who begins to follow late hears no reminder of a day that was past', () => {
  const reached = (today: string, dueOn: string | null, since: string) =>
    dayReached(dueOn, DAYS_BEFORE.truck, { since, today });
  expect(reached('2027-01-10', '2027-01-31', '2027-01-09')).toBeUndefined();
  expect(reached('2027-01-17', '2027-01-31', '2027-01-09')).toBe(14);
  expect(reached('2027-01-31', '2027-01-31', '2027-01-30')).toBe(0);
  expect(reached('2027-02-01', '2027-01-31', '2027-01-09')).toBeUndefined();
  expect(reached('2027-01-01', null, '2026-01-01')).toBeUndefined();
  expect(nextLook('2026-11-21', '2027-01-31', 45)).toBe('2026-12-17');
  expect(nextLook('2027-01-31', '2027-01-31', 45)).toBe('2027-02-01');
  expect(nextLook('2027-02-01', '2027-01-31', 45)).toBeNull();
  expect(nextLook('2027-02-01', null, 45)).toBeNull();
});

test('a mail says that a validation was withdrawn, and not that there never was one', async () => {
  const id = await addVehicle('AAA1', '2027-06-30');
  await follow('AAA1');
  for (const validated of [true, false])
    await services.db
      .insertInto('validation')
      .values({ vehicleId: id, validated, decidedAt: new Date(`2026-11-2${validated ? 0 : 1}T01:00:00Z`) })
      .execute();
  await change('AAA1', { calibrationValidated: false });
  await notify();
  const [mail] = await mails();
  expect(mail?.subject).toBe('AAA1: Not validated: Registry');
  expect(mail?.text).toContain('Not valid today. The validation was withdrawn on 21 November 2026.');
  expect(mail?.text).not.toContain('none has been validated');
});

test('a change by anybody is heard: validation, due date, whether a visit counts, removal, restoring, policy', async () => {
  await addVehicle('AAA1', '2027-06-30');
  await addVehicle('BBB1', '2027-06-30');
  await follow('AAA1');
  const after = async (write: Promise<unknown>) => {
    await write;
    await notify();
    return (await mails()).map(({ subject }) => subject.split(':')[1]?.trim());
  };
  expect(await after(change('AAA1', { calibrationValidated: false }))).toEqual(['Not validated']);
  expect(await after(change('AAA1', { calibrationValidated: true, nextCalibrationDueOn: '2026-12-01' }))).toEqual([
    'Due soon',
  ]);
  expect(await after(change('AAA1', { restsOn: 'nothing' }))).toEqual(['Not validated']);
  expect(await after(change('AAA1', { restsOn: 'visit' }))).toEqual(['Due soon']);
  expect(await after(change('AAA1', { lastCalibratedAt: null }))).toEqual(['Never calibrated']);
  expect(await after(change('AAA1', { lastCalibratedAt: new Date('2026-11-01T01:00:00Z') }))).toEqual(['Due soon']);
  expect(await after(change('AAA1', { make: 'Volvo' }))).toEqual([]);
  expect(await after(change('BBB1', { calibrationValidated: false }))).toEqual([]);
  expect(await after(change('AAA1', { deletedAt: new Date() }))).toEqual(['Removed']);
  expect(await after(change('AAA1', { deletedAt: null, nextCalibrationDueOn: '2027-01-15' }))).toEqual(['Valid']);
  const policy = { version: 2, intervalDays: 182, dueSoonDays: 60, tolerancePerMille: 20, toleranceKg: 500 };
  expect(await after(services.db.insertInto('policy').values(policy).execute())).toEqual(['Due soon']);
});

test('two nodes at once, and a clock that is set back over midnight, tell nothing twice', async () => {
  for (let index = 0; index < 130; index += 1) {
    const vehicleId = await addVehicle(`C${index}`, '2026-12-05');
    await services.db
      .insertInto('follower')
      .values({
        email: `c${index}@x.example`,
        vehicleId,
        askedAt: services.now(),
        confirmedOn: '2026-11-01',
        told: JSON.stringify({ [`C${index}`]: { state: 'Due soon', dueOn: '2026-12-05' } }),
        lookOn: '2026-11-21',
      })
      .execute();
  }
  const count = async () => (await services.db.selectFrom('mail').selectAll().execute()).length;
  await Promise.all([notify(), notify(), notify()]);
  expect(await count()).toBe(130);
  services.setNow('2026-12-05T13:00:00Z'); // midnight has passed in Sydney
  await notify();
  expect(await count()).toBe(260);
  services.setNow('2026-12-05T12:00:00Z');
  await services.db.updateTable('follower').set({ lookOn: '2026-11-01' }).execute();
  expect(await notify()).toBe(0);
  services.setNow('2026-12-06T01:00:00Z');
  expect(await notify()).toBe(0);
  // A clock that was years ahead for a while does not stop mails for years.
  services.setNow('2031-01-01T00:00:00Z');
  await notify();
  services.setNow('2026-12-07T01:00:00Z');
  await change('C1', { nextCalibrationDueOn: '2027-03-01' });
  expect(await notify()).toBe(1);
});

test('who never confirmed is forgotten, and who follows what was removed long ago', async () => {
  await addVehicle('AAA1', null);
  await addVehicle('BBB1', null);
  await ask('AAA1');
  const token = tokenIn((await mails())[0]?.text);
  await follow('BBB1', 'kim@fleet.example');
  await change('BBB1', { deletedAt: services.now() });
  services.setNow('2026-11-24T01:00:00Z');
  expect(await confirmFollowing(services, token)).toBe(false);
  await sweepFollowers(services);
  expect(await followers()).toBe(1);
  services.setNow('2027-03-01T00:00:00Z');
  await sweepFollowers(services);
  expect(await followers()).toBe(0);
});

test('looking reads only whose day has come', async () => {
  const vehicleId = await addVehicle('AAA1', null);
  await sql`insert into follower (email, vehicle_id, asked_at, confirmed_on, look_on)
    select 'p' || n || '@x.example', ${vehicleId}, now(), '2026-01-01', date '2027-01-01' + n % 300
    from generate_series(1, 20000) n`.execute(services.db);
  await sql`analyze follower`.execute(services.db);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id from follower
    where confirmed_on is not null and look_on <= '2026-11-21'
      and (list is null or looked_on is distinct from '2026-11-21')
    order by look_on`.execute(services.db);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('follower_look');
});
