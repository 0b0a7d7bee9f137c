import { expect, test } from 'vitest';
import { findImprovement } from './improvement.ts';
import type { Placed } from './linearize.ts';
import type { Client, VehicleOperation } from './operation.ts';
import { fourReadings } from './readings.ts';
import { NO_VEHICLE, type VehicleState } from './vehicle-state.ts';
import { vehicleModel } from './vehicle-model.ts';

const jo: Client = { email: 'jo@site.example', name: 'Jo', role: 'technician' };
const mia: Client = { email: 'mia@site.example', name: 'Mia', role: 'admin' };
const AT = Date.UTC(2026, 10, 25, 1);
const LATE = AT + 9 * 86_400_000;
const TRUCK = { rego: 'ABC1' };
const [first, ...others] = fourReadings('STEER', { dueOn: '2027-02-01', isDueOnce: true });
if (first === undefined) throw new Error('there are four readings');

/** What the operations leave, one after the other. */
function run(
  ...operations: readonly (readonly [Client, VehicleOperation])[]
): Placed<VehicleState, VehicleOperation>[] {
  let state = NO_VEHICLE;
  return operations.map(([by, operation], nth) => {
    ({ state } = vehicleModel(state, { by, operation }));
    return { call: { by, operation, from: 2 * nth, to: 2 * nth + 1, outcome: {} }, state };
  });
}

const registered = [
  mia,
  { do: 'register', ...TRUCK, mark: 'm', notes: '', validated: true, dueOn: null, key: 'k' },
] as const;
const recorded = [first, ...others].map(
  (reading, nth) => [jo, { do: 'record', ...TRUCK, reading, at: AT + nth, key: reading.value }] as const,
);
const corrected = (at: number, dueOn: string) =>
  [jo, { do: 'correct', ...TRUCK, id: AT, reading: { ...first, dueOn }, reason: 'misread', at, key: `${at}` }] as const;
const faultIn = (order: readonly Placed<VehicleState, VehicleOperation>[]) => findImprovement(order, NO_VEHICLE);

test('a verdict improves by a visit that counts, and by its correction in time', () => {
  const order = run(registered, ...recorded, corrected(AT + 10, '2027-03-01'));
  expect(order.at(-1)?.state.records[0]).toMatchObject({ dueOn: '2027-03-01', validated: true, restsOn: 'visit' });
  expect(faultIn(order)).toBeUndefined();
});

test('a late correction that moved the due date later would be found; so would a reading alone', () => {
  const order = run(registered, ...recorded, corrected(LATE, '2027-03-01'));
  expect(order.at(-1)?.state.visits[0]).toMatchObject({ state: 'waits', isStretched: true });
  expect(faultIn(order)).toBeUndefined();
  const moved = order.map(({ call, state }, nth) =>
    nth < order.length - 1
      ? { call, state }
      : { call, state: run(registered, ...recorded, corrected(AT + 10, '2027-03-01')).at(-1)?.state ?? state },
  );
  expect(faultIn(moved)).toContain('The verdict of m improved by step 6');
  const [begun, one] = run(registered, ...recorded.slice(0, 1));
  if (begun === undefined || one === undefined) throw new Error('there are two steps');
  const records = begun.state.records.map((record) => ({ ...record, dueOn: '2027-03-01' }));
  expect(faultIn([begun, { ...one, state: { ...one.state, records } }])).toContain('by step 2');
});
