// Who had a plate on a day, against a model that keeps a calendar: a row for each day, and who had which text on it.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { addSeen } from '#test/people.ts';
import { replateTo } from '#test/plates.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { vehiclesOnDay } from './plates.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { removeVehicle } from './remove-vehicle.server.ts';

const FIRST = '2026-03-01';
const DAYS = 14;
const TEXTS = ['P1', 'P2', 'P3'];
const ZONE = 'Australia/Sydney';

let services: TestServices;
let admin: SignedIn;
let runs = 0;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
});
afterAll(() => services.stop());

/** On the day `on`: a truck with this plate is added or removed, gets another, or two swap theirs by way of a third. */
const operation = fc.record({
  on: fc.integer({ min: 1, max: DAYS - 2 }),
  kind: fc.constantFrom('add', 'remove', 'change', 'swap' as const),
  from: fc.constantFrom(...TEXTS),
  to: fc.constantFrom(...TEXTS),
});

// The truck that was added first has P2 for no day.
const FOR_NO_DAY = [
  { on: 1, kind: 'add', from: 'P1', to: 'P1' },
  { on: 2, kind: 'change', from: 'P1', to: 'P3' },
  { on: 5, kind: 'change', from: 'P3', to: 'P2' },
  { on: 5, kind: 'change', from: 'P2', to: 'P1' },
  { on: 5, kind: 'add', from: 'P2', to: 'P1' },
] as const;

/** By text, who had it on each day; `unknown`: who it is that had it before somebody else is known to. */
class Calendar {
  readonly #owners = new Map<string, (string | undefined)[]>();
  readonly #live = new Map<string, string>();
  row(text: string): (string | undefined)[] {
    const row = this.#owners.get(text) ?? Array<string | undefined>(DAYS).fill(undefined);
    this.#owners.set(text, row);
    return row;
  }
  ownerOf(text: string): string | undefined {
    return this.#live.get(text);
  }
  /** From `on` on it has the text. Added, it had it since the last owner, as far as anybody knows. */
  take(text: string, id: string, { on, isAdded }: { on: number; isAdded: boolean }): void {
    const row = this.row(text);
    const last = row.findLastIndex((owner, day) => owner !== undefined && day < on);
    for (let day = isAdded ? last + 1 : on; day < DAYS; day += 1) row[day] = id;
    this.#live.set(text, id);
  }
  leave(text: string, on: number): void {
    this.row(text).fill(undefined, on);
    this.#live.delete(text);
  }
}

test('who had a plate on a day is who the calendar says', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 3, maxLength: 10 }), async (operations) => {
      runs += 1;
      const calendar = new Calendar();
      const named = (text: string) => `R${runs}${text}`;
      for (const { on, kind, from, to } of operations.toSorted((a, b) => a.on - b.on)) {
        const day = addDays(FIRST, on);
        services.setNow(`${day}T02:00:00Z`);
        const [own, other] = [calendar.ownerOf(from), calendar.ownerOf(to)];
        const change = (rego: string, text: string) => replateTo(services, admin, rego, { text, fromOn: day });
        if (kind === 'add' && own === undefined) {
          await registerVehicle(services, admin, {
            input: vehicleInput({ rego: named(from) }),
            choice: NO_FILES,
            key: undefined,
          });
          const added = services.db.selectFrom('vehicle').select('id').where('rego', '=', named(from));
          const { id } = await added.where('deletedAt', 'is', null).executeTakeFirstOrThrow();
          calendar.take(from, id, { on, isAdded: true });
        } else if (kind === 'remove' && own !== undefined) {
          await removeVehicle(services.db, admin, { rego: named(from) });
          await services.db.updateTable('vehicle').set({ deletedAt: services.now() }).where('id', '=', own).execute();
          calendar.leave(from, on);
        } else if (kind === 'change' && own !== undefined && other === undefined && from !== to) {
          expect(await change(named(from), named(to))).toMatchObject({ changed: true });
          calendar.leave(from, on);
          calendar.take(to, own, { on, isAdded: false });
        } else if (kind === 'swap' && own !== undefined && other !== undefined && from !== to) {
          expect(await change(named(from), named('THIRD'))).toMatchObject({ changed: true });
          expect(await change(named(to), named(from))).toMatchObject({ changed: true });
          expect(await change(named('THIRD'), named(to))).toMatchObject({ changed: true });
          calendar.take(from, other, { on, isAdded: false });
          calendar.take(to, own, { on, isAdded: false });
        }
      }
      for (const text of TEXTS)
        for (let on = 0; on < DAYS; on += 1) {
          const day = addDays(FIRST, on);
          const found = await vehiclesOnDay(services.db, named(text), { day, zone: ZONE });
          expect([text, day, found.map(({ id }) => id)]).toEqual([text, day, [calendar.row(text)[on] ?? []].flat()]);
        }
    }),
    { numRuns: 25, examples: [[[...FOR_NO_DAY]]] },
  );
  expect(todayIn(ZONE, services.now()) > FIRST).toBe(true);
});
