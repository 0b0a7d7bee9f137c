// Judges a history: each rego by itself, the people together, the logs as a whole. Says in words what cannot be.
import { isDeepStrictEqual } from 'node:util';
import { linearize, type Model, type Observed, type Placed, type Verdict } from './linearize.ts';
import type {
  Call,
  Operation,
  PeopleOperation,
  PolicyOperation,
  ReferenceOperation,
  VehicleOperation,
} from './operation.ts';
import { peopleModel, type PeopleState } from './people-model.ts';
import { describeCalls, describeStuck } from './describe.ts';
import { findImprovement, findUnwithdrawn } from './improvement.ts';
import { OF_WITHDRAWALS, type End, type VehicleEnd } from './read-end.ts';
import type { LeftOfVehicle } from './read-vehicle.ts';
import type { Stage } from './run-program.ts';
import { vehicleModel } from './vehicle-model.ts';
import { policyModel, type PolicyState } from './policy-model.ts';
import { referenceModel, type ReferenceState } from './reference-model.ts';
import { worldsDuring } from './worlds-during.ts';
import { FIRST_RULES, NO_VEHICLE, type VehicleState } from './vehicle-state.ts';

export type History = { calls: readonly Call[]; stage: Stage; end: End };

/** What is wrong with `history`, as text to be read; undefined when nothing is. */
export function judge({ calls, stage, end }: History): string | undefined {
  const failed = calls.find(({ outcome }) => 'error' in outcome);
  if (failed !== undefined)
    return `An operation failed, as none may.\n${describeCalls([failed])}\nThe history:\n${describeCalls(calls)}`;
  const faults = end.faults.map((fault) => `${fault}\nThe history:\n${describeCalls(calls)}`);
  if (faults[0] !== undefined) return faults[0];
  const worldsAt = worldsDuring(calls, stage.cast.version, end.policy.state.versions);
  for (const rego of stage.regos) {
    const left = end.vehicles.get(rego);
    if (left === undefined) throw new Error(`the end of ${rego} was not read`);
    const named = calls.filter((call): call is Call<VehicleOperation> => isOn(call, rego));
    const opened = named.map((call) => withVisits(call, left.state));
    const timed = stage.at === undefined ? opened.map((call) => atItsTime(call, left.state)) : opened;
    const own = [...timed, ...expiries(rego, left, calls), ...withdrawals(rego, left, calls)];
    const { isAlone } = stage.cast;
    const model: Model<VehicleState, VehicleOperation> = (state, call) =>
      // One at a time imports, whatever else is done: that another does is no matter of the truck.
      call.outcome['reason'] === 'busy'
        ? [{ state, outcome: call.outcome }]
        : worldsAt(call).map((found) => vehicleModel(state, call, { ...found, isAlone }));
    const isEnd = (state: VehicleState) =>
      isDeepStrictEqual(sortedVehicle(withoutRules(state)), sortedVehicle(left.state));
    const observed = { begin: NO_VEHICLE, calls: own, log: left.log, isEnd };
    const wrong = explain(rego, model, observed, left.state, (order, begin) => {
      const inForce = worldsAt(AT_THE_END)[0]?.inForce ?? [];
      return findImprovement(order, begin) ?? findUnwithdrawn(order.at(-1)?.state ?? begin, inForce);
    });
    if (wrong !== undefined) return wrong;
  }
  const elsewhere = judgePolicy({ calls, stage, end }) ?? judgeReference({ calls, stage, end });
  if (elsewhere !== undefined) return elsewhere;
  const own = calls.filter((call): call is Call<PeopleOperation> => 'email' in call.operation);
  const isEnd = (state: PeopleState) =>
    own.length === 0 || isDeepStrictEqual(sortedPeople(state), sortedPeople(end.people.state));
  const observed = { begin: stage.cast.people, calls: own, log: end.people.log, isEnd };
  return explain('the people', (state, call) => [peopleModel(state, call)], observed, end.people.state);
}

function judgePolicy({ calls, stage, end }: History): string | undefined {
  const own = calls.filter((call): call is Call<PolicyOperation> => RULES.includes(call.operation.do));
  const { versions: _versions, ...left } = end.policy.state;
  const isEnd = ({ kept: _kept, ...state }: PolicyState) => isDeepStrictEqual(state, left);
  const begin: PolicyState = { version: stage.cast.version, rules: FIRST_RULES, proposal: null, kept: {} };
  const observed = { begin, calls: own, log: end.policy.log, isEnd };
  return explain('the policy', (state, call) => [policyModel(state, call)], observed, left);
}

const RULES: readonly Operation['do'][] = ['open rules', 'change rules', 'confirm rules', 'withdraw rules'];

function judgeReference({ calls, stage, end }: History): string | undefined {
  const { reference, isAlone } = stage.cast;
  if (reference === null) return undefined;
  const world = { line: reference.line, isAlone };
  const own = calls.filter((call): call is Call<ReferenceOperation> => WITHDRAWING.includes(call.operation.do));
  const sorted = ({ withdrawals }: Omit<ReferenceState, 'kept'>) => withdrawals.toSorted(by(({ mark }) => mark));
  const isEnd = (state: ReferenceState) => isDeepStrictEqual(sorted(state), sorted(end.reference.state));
  const begin: ReferenceState = { withdrawals: [], kept: {} };
  const observed = { begin, calls: own, log: end.reference.log, isEnd };
  return explain(
    'the weighbridge',
    (state, call) => [referenceModel(state, call, world)],
    observed,
    end.reference.state,
  );
}

const WITHDRAWING: readonly Operation['do'][] = ['withdraw', 'decide withdrawal'];

// What a withdrawal did to it: one call for each block that reached it, at some time while the registry applied them.
function withdrawals(rego: string, { log }: VehicleEnd, calls: readonly Call[]): Call<VehicleOperation>[] {
  const done = calls.filter(({ operation }) => operation.do === 'apply withdrawals');
  const [from, to] = [Math.min(...done.map((call) => call.from)), Math.max(...done.map((call) => call.to))];
  return log
    .filter(({ kind }) => OF_WITHDRAWALS.includes(kind))
    .map(({ kind, by: email, leaves }) => ({
      by: THE_REGISTRY,
      operation: { do: 'apply withdrawal', rego, visits: leaves.map(({ visit }) => Number(visit)), kind, email },
      from,
      to,
      outcome: {},
    }));
}

/** When all is done and applied. */
const AT_THE_END = { from: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

const THE_REGISTRY = { email: '', name: 'The registry', role: 'admin' } as const;

// What closed by itself: one call for each, at some time while the registry did it.
function expiries(rego: string, { expired }: VehicleEnd, calls: readonly Call[]): Call<VehicleOperation>[] {
  const done = calls.filter(({ operation }) => operation.do === 'close expired');
  const at = Math.max(...done.map(({ operation }) => (operation.do === 'close expired' ? operation.at : 0)));
  const [from, to] = [Math.min(...done.map((call) => call.from)), Math.max(...done.map((call) => call.to))];
  return expired.map((visit) => ({
    by: THE_REGISTRY,
    operation: { do: 'expire', rego, visit, at },
    from,
    to,
    outcome: {},
  }));
}

// An import opens visits by the database's clock.
function withVisits(call: Call<VehicleOperation>, { readings }: LeftOfVehicle): Call<VehicleOperation> {
  const { operation } = call;
  if (operation.do !== 'import') return call;
  const visits = Object.fromEntries(readings.flatMap(({ id, visit }) => (visit === null ? [] : [[id, visit]])));
  return { ...call, operation: { ...operation, visits } };
}

// What the server's own clock said is seen in what was recorded: a reading is known by its value.
function atItsTime(call: Call<VehicleOperation>, { readings }: LeftOfVehicle): Call<VehicleOperation> {
  const { operation } = call;
  if (operation.do !== 'record' && operation.do !== 'correct') return call;
  const landed = readings.find(({ value }) => value === operation.reading.value);
  return landed === undefined ? call : { ...call, operation: { ...operation, at: landed.id } };
}

const isOn = ({ operation }: Call, rego: string) => 'rego' in operation && operation.rego === rego;

/** Without the logs' order there are too many orders to try them all. */
const PLACES_MOST = 20_000;

function explain<State, Op extends Operation>(
  name: string,
  model: Model<State, Op>,
  observed: Observed<State, Op> & { log: NonNullable<Observed<State, Op>['log']> },
  end: unknown,
  findFault: (order: readonly Placed<State, Op>[], begin: State) => string | undefined = () => undefined,
): string | undefined {
  const withLog = linearize(model, observed);
  if (withLog.explained) {
    const fault = findFault(withLog.order, observed.begin);
    return fault === undefined ? undefined : `${fault}\nThe history:\n${describeCalls(observed.calls)}`;
  }
  const { log, ...rest } = observed;
  const anyOrder: Verdict<State, Op> = linearize(model, { ...rest, placesMost: PLACES_MOST });
  const what = anyOrder.explained
    ? `What was done with ${name} can be explained by an order, but not by that of the logs.`
    : `No order explains what was done with ${name}, of those that were tried.`;
  const { stuck } = anyOrder.explained ? withLog : anyOrder;
  return [
    what,
    'The history (from–to, who, what → answer):',
    describeCalls(observed.calls),
    describeStuck(stuck),
    `What is there at the end: ${JSON.stringify(end)}`,
    ...(log.length === 0 ? [] : ['The logs:', ...log.map((entry) => `  ${JSON.stringify(entry)}`)]),
  ].join('\n');
}

const by =
  <Item>(key: (item: Item) => string | number) =>
  (a: Item, b: Item) =>
    key(a) < key(b) ? -1 : 1;

const withoutRules = ({ visits, imported: _imported, ...state }: VehicleState): LeftOfVehicle => ({
  ...state,
  visits: visits.map(({ rules: _rules, acceptedAt: _at, isOfAnew: _isOf, ...visit }) => visit),
});

function sortedVehicle({ records, readings, visits, decisions }: LeftOfVehicle) {
  return {
    records: records.toSorted(by(({ mark }) => mark)),
    readings: readings.toSorted(by(({ id }) => id)),
    visits: visits.toSorted(by(({ visit }) => visit)),
    decisions,
  };
}

function sortedPeople({ admins, applications, technicians }: Omit<PeopleState, 'kept'>) {
  // Whether a removed one could sign in counts no more: another role of the same address may have a password.
  const admin = (one: PeopleState['admins'][number]) => (one.live ? one : { ...one, canSignIn: false });
  return {
    admins: admins.map(admin).toSorted(by(({ mark }) => mark)),
    applications: applications.toSorted(by(({ mark }) => mark)),
    technicians: technicians
      .map((one) => ({ ...one, suspensions: one.suspensions.toSorted(by(({ mark }) => mark)) }))
      .toSorted(by(({ mark }) => mark)),
  };
}
