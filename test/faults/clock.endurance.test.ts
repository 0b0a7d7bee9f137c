// The server's clock stepped forward and back: by a second as when it is set right, by a day as when it was wrong.
// Nothing stays locked, valid or waiting until the wrong time has come, and the log never goes back.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { composeMail } from '#server/compose-mail.ts';
import {
  isResetTokenGood,
  makeResetToken,
  resetPassword,
  RESET_LINK_LIFE_MS,
} from '#app/sign-in/reset-password.server.ts';
import { readSession } from '#app/access/session.server.ts';
import { signIn } from '#app/sign-in/sign-in.server.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { openMail, queueMail } from '#app/platform/mail/mail.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { addPerson, PASSWORD, signedIn, VISITOR } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { READING_PLACES } from '#test/visits.ts';

const EMAIL = 'mia@registry.example';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let services: TestServices;
beforeEach(async () => {
  services = await createTestServices();
  await addPerson(services.db, 'admin', EMAIL);
  stepTo(Date.now());
});
afterEach(async () => {
  vi.useRealTimers();
  await services.stop();
});

// Both clocks: the sign-in library's own and ours.
function stepTo(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
  services.setNow(new Date(now).toISOString());
}
const step = (ms: number) => stepTo(Date.now() + ms);

test('limits that were reached while the clock was a day ahead keep nobody out', async () => {
  const tryIt = (password: string) => signIn(services, VISITOR, { email: EMAIL, password });
  step(DAY);
  for (let count = 0; count < 5; count += 1) expect((await tryIt('wrong')).state).toBe('refused');
  expect((await tryIt(PASSWORD)).state).toBe('too-many');
  step(-DAY);
  expect((await tryIt(PASSWORD)).state).toBe('signed-in');
  // Set back by a second, the limit holds.
  for (let count = 0; count < 4; count += 1) expect((await tryIt('wrong')).state).toBe('refused');
  step(-1000);
  expect((await tryIt(PASSWORD)).state).toBe('too-many');
  step(2 * MINUTE);
  expect((await tryIt(PASSWORD)).state).toBe('signed-in');
});

test('a session of a clock that was ahead does not last until then, one of a small step goes on', async () => {
  const isOpen = async (cookie: string) =>
    (await readSession(services, new Headers({ cookie }), 'use')).signedIn !== null;
  const now = (await signedIn(services, EMAIL)).cookie;
  step(30 * DAY);
  const ahead = (await signedIn(services, EMAIL)).cookie;
  expect(await isOpen(ahead)).toBe(true);
  step(-30 * DAY);
  expect([await isOpen(now), await isOpen(ahead)]).toEqual([true, false]);
  step(-MINUTE);
  expect(await isOpen(now)).toBe(true);
});

test('a reset link of a clock that was ahead does not work until then', async () => {
  const link = async () =>
    (
      await services.db
        .transaction()
        .execute((tx) => makeResetToken(tx, EMAIL, { now: services.now(), lifeMs: RESET_LINK_LIFE_MS }))
    )?.token ?? '';
  const password = 'a weighbridge in the sun';
  step(30 * DAY);
  const ahead = await link();
  expect(await isResetTokenGood(services, ahead)).toBe(true);
  step(-30 * DAY);
  expect(await isResetTokenGood(services, ahead)).toBe(false);
  expect(await resetPassword(services, { token: ahead, password })).toEqual({ reset: false, reason: 'link-used' });
  const token = await link();
  step(-MINUTE);
  expect(await resetPassword(services, { token, password })).toEqual({ reset: true });
});

test('mail that was taken by a node whose clock was ahead is sent all the same', async () => {
  const sent: string[] = [];
  const outbox = openMail(
    services,
    async (tx, mail) => {
      sent.push(mail.recipient);
      return composeMail(services)(tx, { ...mail, recipient: 'nobody@site.example' });
    },
    HELD_LEASE,
  );
  await outbox.sendWaiting();
  await queueMail(services.db, { kind: 'password-reset', recipient: EMAIL, facts: {} });
  await outbox.sendWaiting();
  expect(sent).toEqual([EMAIL]);
  await queueMail(services.db, { kind: 'password-reset', recipient: 'late@site.example', facts: {} });
  await services.db
    .updateTable('mail')
    .set({ nextTryAt: new Date(Date.now() + 30 * DAY) })
    .execute();
  await outbox.sendWaiting();
  expect(sent).toContain('late@site.example');
  await outbox.close();
});

test('what is recorded after the clock was set back is the later record, in the list and in the log', async () => {
  const { who } = await signedIn(services, EMAIL);
  await registerVehicle(services, who, { input: vehicleInput({ rego: 'CLOCK1' }), choice: NO_FILES, key: undefined });
  const now = new Date();
  const places = READING_PLACES.values();
  const record = (at: Date) => {
    const { value: place } = places.next();
    if (place === undefined) throw new Error('a visit has no more readings');
    const input = { ...place, value: '1', due_date: null, confirmed: true };
    return recordCalibration(services.db, who, {
      rego: 'CLOCK1',
      input,
      now: at,
      zone: 'Australia/Sydney',
      key: undefined,
    });
  };
  const ids: number[] = [];
  for (const seconds of [0, -1, -30, 5]) {
    const answer = await record(new Date(now.getTime() + seconds * 1000));
    if (answer.recorded) ids.push(answer.id);
  }
  expect(ids).toEqual([0, 1, 2, 5000].map((ms) => now.getTime() + ms));

  // The database's own clock, set back by an hour: the log goes on from where it was.
  const { lastAt } = await services.db
    .updateTable('activityState')
    .set({ lastAt: sql<Date>`clock_timestamp() + interval '1 hour'` })
    .returning('lastAt')
    .executeTakeFirstOrThrow();
  await record(now);
  await record(now);
  const { rows } = await sql<{ at: Date }>`select at from activity_log order by index desc limit 2`.execute(
    services.db,
  );
  expect(rows.map(({ at }) => at)).toEqual([lastAt, lastAt]);
  const leaves = await sql<{ at: string }>`select entry::jsonb ->> 'at' as at from log_leaf order by index`.execute(
    services.db,
  );
  const times = leaves.rows.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
});
