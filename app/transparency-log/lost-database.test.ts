// A signed log beside a database without its records: nothing can be told.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notifyFollowers } from '#app/following/notify-followers.server.ts';
import { formatCheckpoint } from '#app/tlog/checkpoint.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { signNote } from '#app/tlog/sign-note.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { healthApp } from '#server/health.ts';
import { openLogFolder } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import { findLostDatabase } from './lost-database.server.ts';

let services: TestServices;
beforeEach(async () => {
  services = await createTestServices();
});
afterEach(() => services.stop());

async function signed(size: number): Promise<void> {
  const key = await logKey(services.config);
  const head = { origin: key.verifier.name, size, root: new Uint8Array(32), extensions: [] };
  await openLogFolder(services.config).writeHighWater(utf8(signNote(key, formatCheckpoint(head))));
}

test('an empty database where more was signed is a lost one, and not ready', async () => {
  expect(await findLostDatabase(services.db, services.config)).toBeUndefined();
  await signed(40);
  const lost = await findLostDatabase(services.db, services.config);
  expect(lost).toContain('The database has no records, but a log of 40 entries was signed');
  const answer = await healthApp({ ...services, lost }).request('/readyz');
  expect([answer.status, await answer.text()]).toEqual([503, `${lost}\n`]);
});

test('one with records is not lost: the log says what is wrong with it', async () => {
  await signed(40);
  await services.db.insertInto('vehicle').values({ rego: 'XV04KL' }).execute();
  expect(await findLostDatabase(services.db, services.config)).toBeUndefined();
});

test('while the log refuses to sign, nobody is notified', async () => {
  services.setNow('2026-11-23T01:00:00Z');
  await services.db
    .insertInto('follower')
    .values({
      email: 'a@site.example',
      list: 'AAA1',
      confirmedOn: '2026-11-20',
      askedAt: services.now(),
      lookOn: '-infinity',
    })
    .execute();
  const lookedOn = () =>
    services.db
      .selectFrom('follower')
      .select('lookedOn')
      .executeTakeFirstOrThrow()
      .then((list) => list.lookedOn);
  const folder = openLogFolder(services.config);
  await folder.writeRefusal({ sentence: 'It was restored from an older backup.', since: '2026-11-22T00:00:00Z' });
  await notifyFollowers(services, () => false);
  expect(await lookedOn()).toBeNull();
  await folder.writeRefusal(undefined);
  await notifyFollowers(services, () => false);
  expect(await lookedOn()).toBe('2026-11-23');
});
