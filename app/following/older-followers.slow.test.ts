// A registry in which followers of a vehicle and of a list were apart: its backup restores, every link in a mail that
// was sent goes on working, what waits is sent in the same words, and nobody is told again of what they know.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLinkToken } from '#app/access/one-time-link.server.ts';
import { applyWithin, createRecord, readMigrations } from '#database/migrate.ts';
import { backUp, restoreAnew } from '#test/backups.ts';
import { createEmptyDatabase, type TestDatabase } from '#test/database.ts';
import { enterLeaves } from '#test/leaves.ts';
import { takeMails } from '#test/queued-mails.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { confirmFollowing, endFollowing } from './keep-following.server.ts';
import { findByLink } from './links.server.ts';
import { notifyFollowers } from './notify-followers.server.ts';

const LAST_APART = '0090_waits_since.sql';
const [confirming, leaving, ofVehicle, ofList] = [newLinkToken(), newLinkToken(), newLinkToken(), newLinkToken()];
const OLDER = `
  insert into vehicle (id, rego, calibration_validated, rests_on, last_calibrated_at, next_calibration_due_on)
    values ('00000000-0000-4000-8000-000000000001', 'AAA1', true, 'visit', '2026-11-01', '2026-12-05');
  insert into follower (id, email, vehicle_id, asked_at, confirmed_on, told_verdict, told_due_on, look_on) values
    ('00000000-0000-4000-8000-00000000000a', 'new@fleet.example', '00000000-0000-4000-8000-000000000001', '2026-11-21', null,
      '', null, null),
    ('00000000-0000-4000-8000-00000000000b', 'sam@fleet.example', '00000000-0000-4000-8000-000000000001', '2026-10-01',
      '2026-10-01', 'due-soon', '2026-12-05', '-infinity');
  insert into follower_link values
    ('${confirming.tokenHash}', '00000000-0000-4000-8000-00000000000a', 'confirm', '2026-11-21'),
    ('${leaving.tokenHash}', '00000000-0000-4000-8000-00000000000a', 'leave', '2026-11-21'),
    ('${ofVehicle.tokenHash}', '00000000-0000-4000-8000-00000000000b', 'leave', '2026-10-01');
  insert into follower_notice values ('00000000-0000-4000-8000-00000000000b', 'in-14-days', '2026-12-05', '2026-11-21');
  update follower_day set looked_on = '2026-11-21';
  insert into watch_list (id, email, list, told, asked_at, confirmed_on, looked_on) values
    ('00000000-0000-4000-8000-00000000000c', 'kim@fleet.example', E'AAA1\\nNOPE2',
      '{"AAA1": {"state": "Valid", "dueOn": "2026-12-05"}}', '2026-10-01', '2026-10-01', '2026-11-20');
  insert into watch_list_link values ('${ofList.tokenHash}', '00000000-0000-4000-8000-00000000000c', '2026-10-01');
  insert into mail (kind, recipient, facts) values
    ('follower-told', 'sam@fleet.example', '{"follower": "00000000-0000-4000-8000-00000000000b", "rego": "AAA1",
      "why": "changed", "cause": "Because.", "state": "due-soon", "word": "Due soon", "sentence": "Valid today.",
      "asAt": "20 November 2026", "policy": "1"}'),
    ('list-told', 'kim@fleet.example', '{"list": "00000000-0000-4000-8000-00000000000c", "asAt": "20 November 2026",
      "changed": "AAA1: Valid (before: Not validated)", "in30": "", "in14": "", "changedCount": "1", "dueCount": "0"}');`;

let services: TestServices;
let restored: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'followers-'));
  services = await createTestServices({ PUBLIC_URL: 'https://registry.example', REGISTRY_NAME: 'Registry' });
  services.setNow('2026-11-21T01:00:00Z');
  const old = await createEmptyDatabase();
  const client = new pg.Client(old.address);
  await client.connect();
  await createRecord(client);
  for (const migration of await readMigrations()) {
    await applyWithin(client, migration);
    if (migration.name === LAST_APART) break;
  }
  // Its vehicle is entered in the log below.
  await client.query('set session_replication_role = replica');
  await client.query(OLDER);
  await client.end();
  await backUp({ ...services, address: old.address }, path.join(folder, 'old.tar'));
  await old.drop();
  restored = await restoreAnew(path.join(folder, 'old.tar'));
}, 120_000);
afterAll(async () => {
  await restored.drop();
  await services.stop();
  await rm(folder, { recursive: true });
});

test('what waits, what is told, and every link are as they were', async () => {
  const now: TestServices = { ...services, db: restored.db };
  const waiting = await takeMails(now);
  expect(waiting.map(({ to, subject }) => `${to} ${subject}`)).toEqual([
    'sam@fleet.example AAA1: Due soon: Registry',
    'kim@fleet.example Your list: 1 changed: Registry',
  ]);
  expect(waiting[0]?.text).toMatch(
    /^The verdict on the scale calibration of AAA1 has changed to: Due soon\.\n\nValid today\.\n\nBecause\.\n\nAs at 20 November 2026, rules version 1\. See the current verdict:\n\nhttps/,
  );
  expect(waiting[1]?.text).toContain('What has changed:\nAAA1: Valid (before: Not validated)\n\n');

  await enterLeaves(now.db);
  const told = async () => {
    await notifyFollowers(now, () => false);
    return (await takeMails(now)).map(({ to, subject }) => `${to} ${subject}`);
  };
  // Of the 14 days the follower of the vehicle was told before, and the follower of the list was not.
  expect(await told()).toEqual(['kim@fleet.example Your list: 1 changed, 1 soon due: Registry']);
  expect(await told()).toEqual([]);

  const found = async ({ token }: { token: string }) => (await findByLink(now.db, token, now.now()))?.trucks;
  expect([await found(confirming), await found(ofVehicle), await found(ofList)]).toEqual(['AAA1', 'AAA1', '2 trucks']);
  expect(await confirmFollowing(now, confirming.token)).toBe(true);
  for (const { token } of [leaving, ofVehicle, ofList]) await endFollowing(now, token);
  now.setNow(new Date(now.now().getTime() + 61_000).toISOString());
  await notifyFollowers(now, () => false);
  expect(await now.db.selectFrom('follower').select('id').execute()).toEqual([]);
});
