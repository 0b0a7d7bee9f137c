import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgetTrucks } from './leave-phone.ts';
import { keepVisit, listVisits } from './outbox.ts';
import { keepFetched, openPhoneStore, readFetched, type Fetched } from './phone-store.ts';

const PERSON = { id: 'jo', name: 'Jo' };
const FETCHED: Fetched = {
  at: '2026-11-21T00:00:00Z',
  fetchedAt: '2026-11-21T00:00:00Z',
  zone: 'Australia/Sydney',
  person: PERSON,
  trucks: [
    {
      id: 't1',
      rego: 'XV04KL',
      vin: 'VIN1',
      verdict: 'valid',
      matchesLog: true,
      dueOn: null,
      restsOn: '',
      axles: [],
      lines: [],
      isOwn: true,
    },
  ],
  missing: ['NOPE1'],
  references: [{ id: 'r1', line: 'Example Creek, Example Creek VIC' }],
  visits: [{ id: 'v0', rego: 'XV04KL', day: '2026-11-01', word: 'Counts', words: '' }],
  policy: { version: 1, intervalDays: 182, longestIntervalDays: 366, promptDays: 14 },
  checks: [],
};

test('a sign-out takes the trucks from the phone, and leaves the visits that are not sent', async () => {
  const store = await openPhoneStore(`phone ${randomUUID()}`);
  await keepFetched(store, FETCHED);
  await store.put('regos', { rego: 'XV04KL', isStarred: true });
  const typed = { id: 'v1', rego: 'XV04KL', vin: 'VIN1', vehicleId: 't1', fields: [] };
  await keepVisit(store, typed, { state: 'unsent', person: PERSON, now: new Date() });
  await forgetTrucks(store);
  expect(await readFetched(store)).toEqual({ ...FETCHED, trucks: [], missing: [], visits: [] });
  expect(await store.getAll('regos')).toEqual([]);
  expect((await listVisits(store)).map(({ id, state }) => [id, state])).toEqual([['v1', 'unsent']]);
  // A phone that holds nothing is left as it is.
  const empty = await openPhoneStore(`phone ${randomUUID()}`);
  await forgetTrucks(empty);
  expect(await readFetched(empty)).toBeUndefined();
});
