// The steps of a program that are about vehicles, as one client takes them.
import { addDays } from '#app/platform/time/calendar.ts';
import type { SeenReading, SeenVisit } from './look-up.ts';
import type { Edition, Opened, Outcome, Reading } from './operation.ts';
import type { VehicleStep } from './program.ts';
import { fourReadings, newValue } from './readings.ts';
import type { ClientTools } from './run-program.ts';
import { FITTED } from './visit-rules.ts';

const NOTES = ['', 'greased', 'seal broken', 'new cable'];
const HOUR_MS = 3_600_000;
const LATE_HOURS = 216;
/** In days: none, soon, a year after a visit and more. */
const DUE_BY_HAND = [null, 20, 300, 500] as const;
const DUE = [300, 200, 20, 340] as const;

/** Removed or live, the records that somebody has seen, by rego: anybody who restores chooses among them. */
export type Seen = Map<string, { id: string; mark: string }[]>;

/** Those that an export has, with all entries that any edition of it has. */
export type Trucks = Map<string, { mark: string; entries: Edition['readings'] }>;

export function vehicleSteps(tools: ClientTools, seen: Seen, trucks: Trucks): (step: VehicleStep) => Promise<void> {
  const { by, call, nameNext, newKey, stage, isPreparing, today } = tools;
  const { regos, look, at } = stage;
  const forms = new Map<string, Opened>();
  const inDays = (days: number | null) => (days === null ? null : addDays(today, days));

  const open = async (rego: string): Promise<Opened | undefined> => {
    const { outcome, id } = await call({ do: 'open', rego, today });
    if (id === undefined) return undefined;
    const form = openedOf(outcome, id);
    const known = seen.get(rego) ?? [];
    if (!known.some((one) => one.id === id)) seen.set(rego, [...known, form]);
    return form;
  };

  const update = async (rego: string, { pick, kind, fresh }: VehicleStep, times: number): Promise<void> => {
    const form = fresh ? await open(rego) : (forms.get(rego) ?? (await open(rego)));
    if (form === undefined) return;
    forms.set(rego, form);
    // The one changes what it is about, another what an admin decides; sometimes neither.
    const dueOn = kind === 0 ? form.dueOn : inDays(DUE_BY_HAND[pick] ?? null);
    const changed = kind > 3 ? { notes: nameNext() } : { dueOn, validated: kind > 1 };
    const { notes, validated, dueOn: before } = form;
    const reason = kind === 3 ? '' : nameNext();
    const given = { notes, validated, dueOn: before, ...changed, reason, today };
    await call({ do: 'update', rego, form, key: newKey(), ...given }, times);
  };

  // Reading by reading, with others in between.
  const visit = async (rego: string, { pick, kind }: VehicleStep, moment: number, most = 4): Promise<void> => {
    const dueOn = kind === 5 ? null : inDays(DUE[pick] ?? null);
    const all = fourReadings(FITTED, { dueOn, isJunk: kind === 3, isDueOnce: true });
    for (const reading of (kind === 4 ? all.slice(1) : all).slice(0, most))
      await call({ do: 'record', rego, reading, at: moment, key: newKey() });
  };

  const set = async (rego: string, { pick, kind, fresh }: VehicleStep, moment: number, times: number) => {
    const dueOn = kind === 5 ? inDays(pick % 2 === 0 ? null : 500) : inDays(DUE[pick] ?? null);
    const readings = fourReadings(kind === 4 ? 'DRIVE' : FITTED, { dueOn, isJunk: kind === 3 });
    const weighedOn = pick % 2 === 0 ? null : stage.cast.reference;
    const daysAgo = fresh ? 0 : ([0, 1, 10, 0][pick] ?? 0);
    await call({ do: 'record set', rego, readings, daysAgo, weighedOn, at: moment, key: newKey() }, times);
  };

  const correct = async (rego: string, { pick, kind, fresh }: VehicleStep, moment: number, times: number) => {
    const all = await look.readings(rego);
    const known = fresh ? all.filter((one) => !one.isCorrected && mayCorrect(one)) : all;
    const wrong = lastOf(known, pick);
    if (wrong === undefined) return;
    const reading = corrected(wrong, kind, inDays);
    await call({ do: 'correct', rego, id: wrong.id, reading, reason: 'misread', at: moment, key: newKey() }, times);
  };

  const mayCorrect = (one: SeenReading) => by.client.role === 'admin' || one.by === by.client.email;

  // A late correction of all that a visit which counts says of its due date.
  const stretch = async (rego: string, { pick }: VehicleStep, moment: number): Promise<void> => {
    const visits = await look.visits(rego);
    const counting = visits.findLast(({ state, isLive }) => isLive && (state === 'counts' || state === 'accepted'));
    const readings = await look.readings(rego);
    const stated = readings.filter((one) => one.visit === counting?.visit && !one.isCorrected && one.dueOn !== null);
    const due = stated.filter(mayCorrect);
    for (const wrong of due) {
      const dueOn = addDays(wrong.dueOn ?? today, 5 + pick);
      const reading = { ...readingOf(wrong), dueOn };
      await call({ do: 'correct', rego, id: wrong.id, reading, reason: 'longer', at: moment, key: newKey() });
    }
  };

  // The newest visit that counts does no more: a reading that cannot be right, or that was of another axle.
  const spoil = async (rego: string, { kind }: VehicleStep, moment: number): Promise<void> => {
    const visits = await look.visits(rego);
    const counting = visits.findLast(({ state, isLive }) => isLive && state === 'counts');
    const wrong = (await look.readings(rego)).find(
      (one) => one.visit === counting?.visit && one.attribute === 'Loaded Volt' && !one.isCorrected && mayCorrect(one),
    );
    if (wrong === undefined) return;
    const reading = corrected(wrong, kind % 2 === 0 ? 3 : 4, inDays);
    await call({ do: 'correct', rego, id: wrong.id, reading, reason: 'spoilt', at: moment, key: newKey() });
  };

  const decide = async (rego: string, { pick, kind, fresh }: VehicleStep, moment: number, times: number) => {
    if (by.client.role !== 'admin') return;
    const [decision, reason, from] =
      kind < 4
        ? (['accepted', 'weighed-again', ACCEPTED_FROM] as const)
        : (['set-aside', 'does-not-fit', SET_ASIDE_FROM] as const);
    const visits = await look.visits(rego);
    const isNow = fresh || pick > 0;
    const known = isNow ? visits.filter(({ state, isLive }) => isLive && from.includes(state)) : visits;
    const one = lastOf(known, pick);
    if (one === undefined) return;
    const { id, visit: of, state: openedState } = one;
    // Accepted, one of another axle group would add it to the truck's list, which the model has not.
    const isOther = (await look.readings(rego)).some(({ visit: at, axle }) => at === of && axle !== FITTED);
    if (decision === 'accepted' && isOther) return;
    const given = { visit: of, id, decision, reason: kind === 3 ? '' : reason, openedState } as const;
    await call({ do: 'decide visit', rego, ...given, at: moment, key: newKey() }, times);
  };

  // The first edition of a truck is of the preparation. Its due date is its readings'.
  const bringIn = async (rego: string, { pick, twice }: VehicleStep): Promise<void> => {
    if (at === undefined || isPreparing === trucks.has(rego)) return;
    const from = at - 40 * 24 * HOUR_MS;
    const dues = [100, 200, 300].map(inDays);
    if (isPreparing)
      trucks.set(rego, {
        mark: nameNext(),
        entries: dues
          .flatMap((dueOn) => fourReadings(FITTED, { dueOn }))
          .map((reading, nth) => ({ ...reading, id: from + nth * 60_000 })),
      });
    const truck = trucks.get(rego);
    if (truck === undefined) return;
    const number = isPreparing ? 1 : 1 + pick;
    const readings = truck.entries.slice(0, 4 * number);
    const edition = { number, mark: truck.mark, dueOn: dues[number - 1] ?? null, readings };
    await call({ do: 'import', rego, edition, visits: {} }, twice ? 2 : 1);
  };

  return async (step) => {
    const { what, on, pick, fresh, twice, late } = step;
    const rego = regos[on % regos.length];
    if (rego === undefined) return;
    const times = twice ? 2 : 1;
    const key = newKey();
    const moment = (at ?? 0) + (pick % 3) - 1 + late * HOUR_MS;
    switch (what) {
      case 'open': {
        const form = await open(rego);
        if (form !== undefined) forms.set(rego, form);
        return;
      }
      case 'register': {
        const given = {
          mark: nameNext(),
          notes: NOTES[pick] ?? '',
          validated: fresh,
          dueOn: inDays(DUE_BY_HAND[pick] ?? null),
        };
        await call({ do: 'register', rego, ...given, key }, times);
        return;
      }
      case 'update':
        return update(rego, step, times);
      case 'remove':
        await call({ do: 'remove', rego, key }, times);
        return;
      case 'restore': {
        const known = seen.get(rego) ?? [];
        const one = known[pick % Math.max(1, known.length)];
        if (one !== undefined) await call({ do: 'restore', rego, id: one.id, mark: one.mark, key }, times);
        return;
      }
      case 'validate':
      case 'withdraw':
        await call({ do: 'decide', rego, validated: what === 'validate', reason: nameNext(), key }, times);
        return;
      case 'record': {
        const reading = fourReadings(FITTED, { dueOn: inDays(DUE[on] ?? null) })[pick];
        if (reading !== undefined) await call({ do: 'record', rego, reading, at: moment, key }, times);
        return;
      }
      case 'visit':
        return visit(rego, step, moment);
      case 'set':
        return set(rego, step, moment, times);
      case 'finish': {
        // Of what somebody has begun, or has not.
        await visit(rego, { ...step, pick: pick || 1 }, moment, step.kind % 4);
        const mine = (await look.visits(rego)).filter((one) => one.by === by.client.email);
        const own = mine.findLast(({ state }) => state === 'open') ?? mine.at(-1);
        if (own !== undefined) await call({ do: 'finish', rego, visit: own.visit, id: own.id, at: moment, key }, times);
        return;
      }
      case 'correct':
        return correct(rego, step, moment, times);
      case 'stretch':
        return stretch(rego, step, moment + (late === LATE_HOURS ? 0 : LATE_HOURS * HOUR_MS));
      case 'spoil':
        return spoil(rego, step, moment);
      case 'decide visit':
        return decide(rego, step, moment, times);
      case 'close expired':
        await call({ do: 'close expired', at: moment + 13 * HOUR_MS });
        return;
      case 'import':
        return bringIn(rego, step);
    }
  };
}

const ACCEPTED_FROM: readonly SeenVisit['state'][] = ['waits', 'partial', 'set-aside'];
const SET_ASIDE_FROM: readonly SeenVisit['state'][] = ['waits', 'counts', 'accepted'];

const lastOf = <One>(known: readonly One[], pick: number) => known.at(-1 - (pick % Math.max(1, known.length)));

const readingOf = ({ axle, attribute, value, dueOn }: SeenReading): Reading => ({ axle, attribute, value, dueOn });

function corrected(wrong: SeenReading, kind: number, inDays: (days: number) => string | null): Reading {
  const reading = readingOf(wrong);
  const value = newValue(wrong.attribute, kind === 3);
  switch (kind) {
    case 0:
      return { ...reading, value, dueOn: inDays(350) };
    case 1:
      return { ...reading, value, dueOn: inDays(10) };
    case 4:
      return { ...reading, value, axle: 'TRAILERA' };
    case 5:
      return { ...reading, value, dueOn: null };
    default:
      return { ...reading, value };
  }
}

function openedOf(outcome: Outcome, id: string): Opened {
  const { mark, version, notes, dueOn, validated } = outcome;
  return {
    id,
    mark: String(mark),
    version: Number(version),
    notes: String(notes),
    dueOn: dueOn === null || dueOn === undefined ? null : String(dueOn),
    validated: validated === true,
  };
}
