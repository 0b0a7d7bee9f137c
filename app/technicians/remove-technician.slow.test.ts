// The removal of a technician, and their return.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession, type SignedIn } from '#app/access/session.server.ts';
import { signIn } from '#app/sign-in/sign-in.server.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { applicationOf } from '#test/applications.ts';
import { addSignedIn, cookieOf, VISITOR } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { removeTechnician } from './remove-technician.server.ts';

const email = 'office@northside.example';
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

const request = () =>
  requestRegistration(services, '192.0.2.1', { input: applicationOf(email), key: newIdempotencyKey() });

test('sessions end, what was recorded stays; the same address asks and is approved again, with nothing of before', async () => {
  const { db } = services;
  await request();
  await approveApplication(services, mia, { email, first: FIRST, key: newIdempotencyKey() });
  const first = await signIn(services, VISITOR, { email, password: FIRST.password });
  if (first.state !== 'signed-in') throw new Error(first.state);
  const cookie = cookieOf(first.setCookies);
  const key = newIdempotencyKey();
  const removals = await Promise.all([
    removeTechnician(services, mia, { email, key }),
    removeTechnician(services, ali, { email }),
  ]);
  if (removals[0].removed) expect(await removeTechnician(services, mia, { email, key })).toEqual({ removed: true });
  expect(removals.filter(({ removed }) => removed)).toHaveLength(1);
  expect(removals.find(({ removed }) => !removed)).toMatchObject({ reason: 'removed' });
  expect((await readSession(services, new Headers({ cookie }), 'look')).signedIn).toBeNull();
  expect((await signIn(services, VISITOR, { email, password: FIRST.password })).state).not.toBe('signed-in');
  expect(await request()).toEqual({ requested: true });
  expect((await signIn(services, VISITOR, { email, password: FIRST.password })).state).not.toBe('signed-in');
  const second = { by: 'admin', password: 'second words of the yard' } as const;
  expect(await approveApplication(services, ali, { email, first: second, key: newIdempotencyKey() })).toEqual({
    approved: true,
  });
  expect((await signIn(services, VISITOR, { email, password: FIRST.password })).state).not.toBe('signed-in');
  expect((await signIn(services, VISITOR, { email, password: second.password })).state).toBe('signed-in');
  const rows = await db.selectFrom('technician').select('deletedAt').where('email', '=', email).execute();
  expect(rows.map(({ deletedAt }) => deletedAt === null).toSorted()).toEqual([false, true]);
  const people = await db.selectFrom('person').select('id').where('email', '=', email).execute();
  expect(people).toHaveLength(1);
});
