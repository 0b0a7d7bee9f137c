import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepVisit } from './outbox.ts';
import { OutboxList } from './outbox-list.tsx';
import { openPhoneStore, type KeptVisit, type PhoneStore } from './phone-store.ts';
import type { OnThisPhone } from './use-field.ts';

const NOW = new Date('2026-11-21T01:00:00Z');
const JO = { id: randomUUID(), name: 'Jo' };
let store: PhoneStore;
beforeAll(async () => {
  store = await openPhoneStore(`phone ${randomUUID()}`);
});
afterAll(() => store.close());

const typed = { id: randomUUID(), rego: 'AAA1', vin: '', vehicleId: '', fields: [] };
const visitNow = async (): Promise<KeptVisit> => {
  const visit = await store.get('visits', typed.id);
  if (visit === undefined) throw new Error('the visit is gone');
  return visit;
};
const shownOf = (visits: KeptVisit[]) => {
  const phone: OnThisPhone = {
    store,
    now: NOW,
    zone: 'Australia/Sydney',
    fetched: undefined,
    visits,
    photos: new Map(),
    others: [],
    regos: [],
    lookedUp: [],
  };
  const field = {
    phone,
    signal: 'signed in',
    isFull: false,
    changed: async () => {},
    refresh: async () => undefined,
  } as const;
  return renderToString(
    <MemoryRouter>
      <OutboxList field={field} phone={phone} />
    </MemoryRouter>,
  );
};

test('‘Try now’ is there only where something is to be sent: a refused visit is not sent by it', async () => {
  await keepVisit(store, typed, { state: 'unsent', person: JO, now: NOW });
  const unsent = await visitNow();
  expect(shownOf([unsent])).toContain('Try now');
  const answer = { recorded: false, reason: 'values-wrong', sentence: 'Some values are wrong.', errors: {} } as const;
  const refused: KeptVisit = { ...unsent, state: 'refused', answer };
  expect(shownOf([refused])).not.toContain('Try now');
  expect(shownOf([refused, unsent])).toContain('Try now');
});

test('a visit that was refused for the phone’s clock is captured again when it is saved again', async () => {
  await keepVisit(store, typed, { state: 'unsent', person: JO, now: new Date(0) });
  const captured = { ...(await visitNow()), capturedAt: new Date(0).toISOString() };
  const refusedFor = (reason: string) => ({ recorded: false as const, reason, sentence: '', errors: {} });
  for (const [reason, capturedAt] of [
    ['values-wrong', captured.capturedAt],
    ['clock-wrong', NOW.toISOString()],
  ] as const) {
    await store.put('visits', { ...captured, state: 'refused', answer: refusedFor(reason) });
    await keepVisit(store, typed, { state: 'unsent', person: JO, now: NOW });
    expect((await visitNow()).capturedAt).toBe(capturedAt);
  }
});
