import { expect, test } from 'vitest';
import { linearize, type Model } from './linearize.ts';
import type { Call, Client, Entry, Outcome, VehicleOperation } from './operation.ts';
import { vehicleModel } from './vehicle-model.ts';
import { NO_VEHICLE, type VehicleState } from './vehicle-state.ts';

const REGO = 'ABC1';
const TODAY = '2026-11-25';
const mia: Client = { email: 'mia@site.example', name: 'Mia', role: 'admin' };
const jo: Client = { email: 'jo@site.example', name: 'Jo', role: 'technician' };
const call = (by: Client, from: number, to: number, operation: VehicleOperation, outcome: Outcome) => ({
  by,
  operation,
  from,
  to,
  outcome,
});

const first = { id: 'a', mark: 'm1', version: 1, notes: '', dueOn: null, validated: false };
const register: VehicleOperation = { do: 'register', rego: REGO, key: 'k0', ...first };
const registered = call(mia, 1, 2, register, { registered: true });
const update = (notes: string, form = first): VehicleOperation => ({
  do: 'update',
  rego: REGO,
  form,
  key: `of ${notes}`,
  notes,
  validated: false,
  dueOn: null,
  reason: '',
  today: TODAY,
});
const saved = { updated: true };
const stale = (version: number, notes: string) => ({
  updated: false,
  reason: 'stale',
  mark: 'm1',
  version,
  notes,
  dueOn: null,
  validated: false,
});
const entry = (by: Client, kind: string, from = '', to = ''): Entry => ({
  kind,
  by: by.email,
  details: `${REGO} ${kind === 'vehicle.added' ? 'added' : 'updated'}`,
  changes: from === to ? [] : [{ field: 'notes', from, to }],
  leaves: [
    { type: kind === 'vehicle.added' ? 'vehicle.registered' : 'vehicle.updated', validated: false, dueOn: null },
  ],
});
const added = entry(mia, 'vehicle.added');

const model: Model<VehicleState, VehicleOperation> = (state, made) => [vehicleModel(state, made)];

/** Whether it can be explained; the end has these notes and this version. */
function isExplained(calls: readonly Call<VehicleOperation>[], [notes, version]: [string, number], log?: Entry[]) {
  const isEnd = ({ records }: VehicleState) => records[0]?.notes === notes && records[0].version === version;
  const logged = log === undefined ? {} : { log };
  return linearize(model, { begin: NO_VEHICLE, calls, isEnd, ...logged }).explained;
}

test('of two saves of one version at once, either may be the first, but not both succeed', () => {
  const byMia = call(mia, 3, 6, update('x'), saved);
  const byJo = (outcome: Outcome) => call(jo, 4, 5, update('y'), outcome);
  expect(isExplained([registered, byMia, byJo(stale(2, 'x'))], ['x', 2])).toBe(true);
  expect(isExplained([registered, byMia, byJo(saved)], ['y', 3])).toBe(false);
  expect(isExplained([registered, byMia, byJo(saved)], ['y', 2])).toBe(false);
  // And the loser is shown what stands there, nothing else.
  expect(isExplained([registered, byMia, byJo(stale(2, 'z'))], ['x', 2])).toBe(false);
});

test('an order must keep to real time', () => {
  const open = (from: number, to: number, version: number, notes: string) =>
    call(jo, from, to, { do: 'open', rego: REGO, today: TODAY }, { state: 'live', ...first, version, notes });
  const look = (from: number, to: number, version: number, notes: string) => {
    const { outcome, ...rest } = open(from, to, version, notes);
    const { id: _id, ...shown } = outcome;
    return { ...rest, outcome: shown };
  };
  const save = call(mia, 3, 6, update('x'), saved);
  expect(isExplained([registered, save, look(4, 5, 1, '')], ['x', 2])).toBe(true);
  expect(isExplained([registered, save, look(4, 5, 2, 'x')], ['x', 2])).toBe(true);
  expect(isExplained([registered, save, look(7, 8, 2, 'x')], ['x', 2])).toBe(true);
  expect(isExplained([registered, save, look(7, 8, 1, '')], ['x', 2])).toBe(false);
  // Seen by one, it cannot be unseen by the next.
  expect(isExplained([registered, { ...save, to: 9 }, look(4, 5, 2, 'x'), look(6, 7, 1, '')], ['x', 2])).toBe(false);
});

test('what was acknowledged must be there at the end, and nothing else', () => {
  const save = call(mia, 3, 4, update('x'), saved);
  expect(isExplained([registered, save], ['x', 2])).toBe(true);
  expect(isExplained([registered, save], ['', 1])).toBe(false);
  expect(isExplained([registered], ['x', 2])).toBe(false);
});

test('the logs must tell it in an order in which it can have happened', () => {
  const [x, y] = ['x', 'y'];
  const second = { ...first, version: 2, notes: x };
  const calls = [registered, call(mia, 3, 4, update(x), saved), call(jo, 5, 6, update(y, second), saved)];
  const right = [added, entry(mia, 'vehicle.updated', '', x), entry(jo, 'vehicle.updated', x, y)];
  expect(isExplained(calls, [y, 3], right)).toBe(true);
  expect(isExplained(calls, [y, 3], [right[0]!, right[2]!, right[1]!])).toBe(false);
  expect(isExplained(calls, [y, 3], right.slice(0, 2))).toBe(false);
  expect(isExplained(calls, [y, 3], [...right, entry(jo, 'vehicle.updated', y, y)])).toBe(false);
  const other = { ...right[1]!, leaves: [] };
  expect(isExplained(calls, [y, 3], [right[0]!, other, right[2]!])).toBe(false);
});

test('what changes nothing where it stands may have changed something elsewhere', () => {
  const decide = (by: Client, from: number, to: number, validated: boolean) =>
    call(by, from, to, { do: 'decide', rego: REGO, validated, reason: '', key: `${from}` }, { decided: true });
  const validated = { ...register, validated: true };
  const calls = [{ ...registered, operation: validated }, decide(mia, 3, 6, true), decide(jo, 4, 5, false)];
  expect(isExplained(calls, ['', 2])).toBe(true);
  expect(isExplained(calls, ['', 3])).toBe(true);
  expect(isExplained(calls, ['', 1])).toBe(false);
});

test('a form sent twice has one effect and one answer; a form of a removed record is stale for the next', () => {
  const twice = [call(mia, 3, 6, update('x'), saved), call(mia, 4, 5, update('x'), saved)];
  expect(isExplained([registered, ...twice], ['x', 2])).toBe(true);
  expect(isExplained([registered, ...twice], ['x', 3])).toBe(false);
  const anew = [
    registered,
    call(mia, 3, 4, { do: 'remove', rego: REGO, key: 'k1' }, { removed: true }),
    call(mia, 5, 6, { ...register, mark: 'm2', key: 'k2' }, { registered: true }),
  ];
  const late = (outcome: Outcome) => call(jo, 7, 8, update('x'), outcome);
  expect(isExplained([...anew, late({ updated: false, reason: 'stale', mark: 'm2' })], ['', 2])).toBe(true);
  expect(isExplained([...anew, late(saved)], ['', 2])).toBe(false);
});
