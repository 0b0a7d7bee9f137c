// Following a list of trucks by email, from the first mail to the last. No mail is sent twice, and none is missed.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MailText } from '#app/platform/mail/mail.server.ts';
import { clickOnce } from '#test/one-click.ts';
import { takeMails } from '#test/queued-mails.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { enterLeaves } from '#test/leaves.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { readList } from '#app/check-list/read-list.server.ts';
import { askToFollow } from './ask-to-follow.server.ts';
import { namesOf, newsOf } from './followed-trucks.server.ts';
import { DAYS_BEFORE } from './follower.ts';
import { changeList, confirmFollowing, endFollowing } from './keep-following.server.ts';
import { findByLink } from './links.server.ts';
import { notifyFollowers, sweepFollowers } from './notify-followers.server.ts';

let services: TestServices;
beforeEach(async () => {
  services = await createTestServices({ PUBLIC_URL: 'https://registry.example', REGISTRY_NAME: 'Registry' });
  services.setNow('2026-11-21T00:00:00Z');
});
afterEach(() => services.stop());

async function addVehicle(rego: string, nextCalibrationDueOn: string | null, vin = ''): Promise<void> {
  const lastCalibratedAt = new Date('2026-11-01T01:00:00Z');
  const values = {
    rego,
    vin,
    nextCalibrationDueOn,
    calibrationValidated: true,
    restsOn: 'visit' as const,
    lastCalibratedAt,
  };
  await services.db.insertInto('vehicle').values(values).execute();
  await enterLeaves(services.db);
}
async function change(rego: string, set: Record<string, unknown>): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const { id, ...state } = await tx
      .updateTable('vehicle')
      .set(set)
      .where('rego', '=', rego)
      .returning(['id', 'calibrationValidated', 'nextCalibrationDueOn'])
      .executeTakeFirstOrThrow();
    await appendLeaves(tx, [vehicleEvent('vehicle.updated', { id, rego }, { ...state })]);
  });
}
const mails = () => takeMails(services);
const tokenIn = (text = '') => /https:\/\/registry\.example\/following\/([\w-]{43})/.exec(text)?.[1] ?? '';
const ask = (list: string, email = 'sam@fleet.example') => {
  const read = readList(list);
  if (!read.ok) throw new Error(read.message);
  return askToFollow(services, '192.0.2.1', { email, list: namesOf(read.lines) });
};
/** Asks, confirms, and returns a link. */
async function follow(list: string): Promise<string> {
  await ask(list);
  const token = tokenIn((await mails())[0]?.text);
  expect(await confirmFollowing(services, token)).toBe(true);
  return token;
}
/** The mails of a morning: seven in Sydney, and every hour after. */
async function mailsOn(day: string): Promise<(MailText & { to: string })[]> {
  for (const time of ['20:00', '21:00']) {
    const evening = new Date(`${day}T${time}:00Z`).getTime() - 86_400_000;
    services.setNow(new Date(evening).toISOString());
    await notifyFollowers(services, () => false);
  }
  return mails();
}
const subjectsOn = async (day: string) => (await mailsOn(day)).map(({ subject }) => subject);

test('a list is read as the names of its trucks, each once', () => {
  const read = readList('Rego\n"007 lht"\nXV04KL\nxv-04-kl\n\n@@@\n6T9HZ8FM2PA100418\n');
  expect(read.ok ? namesOf(read.lines) : '').toBe('007LHT\nXV04KL\n6T9HZ8FM2PA100418');
});

test('nothing is sent before the link was confirmed; ending erases everything', async () => {
  const { db } = services;
  await addVehicle('AAA1', '2026-12-21');
  expect(await ask('AAA1\nBBB2')).toEqual({ allowed: true });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect([mail?.to, mail?.subject]).toEqual(['sam@fleet.example', 'Follow a list of 2 trucks?: Registry']);
  expect(await subjectsOn('2026-11-22')).toEqual([]);
  const token = tokenIn(mail?.text);
  const kept = JSON.stringify(await db.selectFrom('followerLink').selectAll().execute());
  expect([token.length, kept.includes(token)]).toEqual([43, false]);
  for (let time = 0; time < 2; time += 1) expect(await confirmFollowing(services, token)).toBe(true);
  const logged = await db.selectFrom('activityLog').select(['kind', 'actorId', 'topics']).execute();
  expect(logged).toEqual([{ kind: 'list.followed', actorId: null, topics: ['logs'] }]);

  await change('AAA1', { nextCalibrationDueOn: '2027-05-01' });
  const [told, ...others] = await mailsOn('2026-11-23');
  expect(others).toEqual([]);
  expect(told?.subject).toBe('Your list: 1 changed: Registry');
  expect(told?.text).toContain('AAA1: Valid, due on 1 May 2027 (before: Due soon, due on 21 December 2026)');
  const link = tokenIn(told?.text);
  expect(told?.headers).toEqual({
    'List-Unsubscribe': `<https://registry.example/following/${link}/end>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  expect(await clickOnce([told ?? {}])).toEqual([200]);
  await change('AAA1', { calibrationValidated: false });
  services.setNow('2026-11-24T03:00:00Z');
  await notifyFollowers(services, () => false);
  for (let time = 0; time < 2; time += 1) await endFollowing(services, link);
  expect(await mails()).toEqual([]);
  services.setNow(new Date(services.now().getTime() + 61_000).toISOString());
  await notifyFollowers(services, () => false);
  const { rows } = await sql<{ n: number }>`select (select count(*) from follower)
    + (select count(*) from follower_link) + (select count(*) from mail) as n`.execute(db);
  expect(rows[0]?.n).toBe(0);
  expect(JSON.stringify(await db.selectFrom('activityDetail').selectAll().execute())).not.toContain('sam@');
  expect(await confirmFollowing(services, token)).toBe(false);
});

test('one mail a day says all that changed and what falls due, and none where nothing did', async () => {
  await addVehicle('AAA1', '2026-12-22');
  await addVehicle('BBB2', '2027-05-01');
  await addVehicle('CCC3', '2027-05-01', 'VINCCC3');
  await follow('AAA1\nBBB2\nVINCCC3\nCCC3\nNEW4');
  expect(await subjectsOn('2026-11-21')).toEqual([]);
  await change('BBB2', { calibrationValidated: false });
  await change('CCC3', { deletedAt: new Date('2026-11-21T10:00:00Z') });
  await addVehicle('NEW4', null);
  const [mail, ...more] = await mailsOn('2026-11-22');
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Your list: 4 changed, 1 soon due: Registry');
  expect(mail?.text).toContain(
    [
      'What has changed:',
      'AAA1: Due soon, due on 22 December 2026 (before: Valid, due on 22 December 2026)',
      'BBB2: Not validated, due on 1 May 2027 (before: Valid, due on 1 May 2027)',
      'VINCCC3: Not in the registry (before: Valid, due on 1 May 2027)',
      'NEW4: Valid (before: Not in the registry)',
    ].join('\n'),
  );
  expect(mail?.text).toContain('Due within 30 days:\nAAA1: due on 22 December 2026');
  expect(await subjectsOn('2026-11-23')).toEqual([]);
  expect(await subjectsOn('2026-12-08')).toEqual(['Your list: 1 soon due: Registry']);
  expect(await subjectsOn('2026-12-09')).toEqual([]);
  expect(await subjectsOn('2026-12-23')).toEqual(['Your list: 1 changed: Registry']);
});

test('days that the registry was away are made up for once, and a clock that is set back repeats nothing', async () => {
  await addVehicle('AAA1', '2026-12-24');
  await follow('AAA1');
  expect(await subjectsOn('2026-11-22')).toEqual([]);
  // Away on the day that was 30 days before.
  const [late] = await mailsOn('2026-11-26');
  expect(late?.text).toContain('Due within 30 days:\nAAA1: due on 24 December 2026');
  expect(await subjectsOn('2026-11-25')).toEqual([]);
  expect(await subjectsOn('2026-11-26')).toEqual([]);
  // Away on both days: the nearer one is told alone.
  await change('AAA1', { nextCalibrationDueOn: '2027-03-01' });
  expect(await subjectsOn('2026-11-27')).toEqual(['Your list: 1 changed: Registry']);
  const [both] = await mailsOn('2027-02-20');
  expect(both?.text).toContain('Due within 14 days:\nAAA1');
  expect(both?.text).not.toContain('Due within 30 days');
});

test('a changed list keeps what was told of trucks that stay, so that their news still come', async () => {
  await addVehicle('AAA1', '2027-05-01');
  await addVehicle('BBB2', '2027-05-01');
  const token = await follow('AAA1');
  expect(await subjectsOn('2026-11-22')).toEqual([]);
  await change('AAA1', { calibrationValidated: false });
  await change('BBB2', { calibrationValidated: false });
  const version = (await findByLink(services.db, token, services.now()))?.version ?? 0;
  expect(await changeList(services, token, { list: 'BBB2\nAAA1', version })).toBe('saved');
  expect(await changeList(services, token, { list: 'BBB2', version })).toBe('changed-meanwhile');
  const [mail] = await mailsOn('2026-11-23');
  expect(mail?.subject).toBe('Your list: 1 changed: Registry');
  expect(mail?.text).toContain('AAA1: Not validated');
  expect(mail?.text).not.toContain('BBB2');
  expect(await changeList(services, 'x'.repeat(43), { list: 'BBB2', version })).toBe('no-such-list');
});

test('a thousand trucks that change make one mail of a hundred lines', async () => {
  const names = Array.from({ length: 1000 }, (_, n) => `T${n}`);
  await services.db
    .insertInto('vehicle')
    .values(names.map((rego) => ({ rego })))
    .execute();
  await enterLeaves(services.db);
  await follow(names.join('\n'));
  await services.db.updateTable('vehicle').set({ deletedAt: services.now() }).execute();
  const [mail, ...more] = await mailsOn('2026-11-23');
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Your list: 1,000 changed: Registry');
  expect(mail?.text.split('\n').filter((line) => /^T\d/.test(line))).toHaveLength(100);
  expect(mail?.text).toContain('and 900 more');
});

test('what nobody confirms is deleted after three days', async () => {
  await ask('AAA1');
  const [mail] = await mails();
  services.setNow('2026-11-24T01:00:00Z');
  expect(await confirmFollowing(services, tokenIn(mail?.text))).toBe(false);
  await sweepFollowers(services);
  expect(await services.db.selectFrom('follower').selectAll().execute()).toEqual([]);
});

test('of two that were missed, the nearer one is news', () => {
  const truck = { state: 'Valid', dueOn: '2026-12-10' };
  const time = { since: '2026-11-01', today: '2026-11-27', daysBefore: DAYS_BEFORE.list };
  const due = [{ name: 'A', dueOn: '2026-12-10', days: 14 }];
  expect(newsOf({ A: truck }, { A: truck }, time)).toEqual({ changed: [], due });
});
