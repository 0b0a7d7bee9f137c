// What is done about visits, by the functions that the pages call.
import type { SignedIn } from '#app/access/session.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { nameOf, READING_FIELDS } from '#app/readings/set-grid.ts';
import { FORM_VERSION } from '#app/field/field.ts';
import { recordCapturedVisit } from '#app/field/record-captured-visit.server.ts';
import { axleGroupsOf } from '#app/vehicles/axle.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { randomFrom, randomReadings } from '#test/random.ts';
import {
  correctVisit,
  honestReadings,
  recordHonestSet,
  recordSingles,
  visitsOf,
  type SetChange,
} from '#test/visits.ts';
import { learn, type Ground } from './ground.ts';
import { addDays, type Deed, type Read } from './rules.ts';

export type Doing = { who: SignedIn; nth: number; before: Read };
export const NOTHING: Deed = { do: 'nothing' };

const JUNK = { empty_volt: '0.1', empty_weight: '100', loaded_volt: '0.2', loaded_weight: '200' };
const LIGHT = { loaded_weight: '9000' };
/** The days of 'prompt' in the first rules. */
const PROMPT = 7;
const BOTH = ['STEER', 'DRIVE'] as const;
const today = ({ services }: Ground) => services.now().toISOString().slice(0, 10);

/** Those that count; where none does, those that stood and were corrected too late. */
async function comparable(ground: Ground) {
  const visits = (await visitsOf(ground.services, ground.rego)).flatMap(({ id, state }) => {
    const known = ground.visits.get(id);
    return known === undefined ? [] : [{ ...known, state }];
  });
  const counting = visits.filter(({ state }) => state === 'counts' || state === 'accepted');
  const corrected = visits.filter(({ state, stood, isCorrectedLate }) => state === 'waits' && stood && isCorrectedLate);
  return counting.length > 0 ? counting : corrected;
}

/**
 * How many lines of the truck a new one is held against. 0: one of them may be an invented one.
 */
async function linesBefore(ground: Ground, { rules }: Read): Promise<number> {
  const lines = await comparable(ground);
  const isUnsure = rules.prompt !== PROMPT && lines.some(({ isCorrectedLate }) => isCorrectedLate);
  return isUnsure || lines.some(({ isOwnLine }) => !isOwnLine) ? 0 : lines.length;
}

/** What any visit of this moment fails: the truck is not known to be the one that was calibrated before. */
async function faultsOfTruck(ground: Ground): Promise<string[]> {
  const { db } = ground.services;
  const found = await findVehicle(db, ground.rego);
  if (found.state !== 'live') return [];
  const { id, vin } = found.vehicle;
  const twin = await db
    .selectFrom('vehicle')
    .select('id')
    .where('vin', '=', vin)
    .where('id', '!=', id)
    .executeTakeFirst();
  const before = await comparable(ground);
  const isOther = before.length > 0 && before.every((visit) => visit.vin !== vin);
  return twin !== undefined || isOther ? ['truck'] : [];
}

type Made = { faults?: string[]; isOffLine?: true };

async function recordSet(
  ground: Ground,
  { who, nth }: Doing,
  change: SetChange,
  { faults = [], ...made }: Made = {},
): Promise<Deed> {
  const random = randomFrom(nth + ground.visits.size * 1009);
  const honest = { STEER: randomReadings(random, 'STEER'), DRIVE: randomReadings(random, 'DRIVE') };
  const { readings = {}, nudge, ...more } = change;
  const all = await faultsOfTruck(ground);
  const answer = await recordHonestSet(ground.services, who, ground.rego, {
    axles: BOTH,
    ...more,
    ...(nudge === undefined
      ? { readings: { STEER: { ...honest.STEER, ...readings.STEER }, DRIVE: { ...honest.DRIVE, ...readings.DRIVE } } }
      : { nudge }),
  });
  if (!answer.recorded) return NOTHING;
  const visit = await learn(ground, { parts: [who.personId], faults: [...faults, ...all], ...made });
  return visit === undefined ? NOTHING : { do: 'record', visit };
}

/** A line that is not the truck's: held back while an older one counts. */
const offLine = async (ground: Ground, { before }: Doing): Promise<Made> => ({
  faults: (await linesBefore(ground, before)) > 0 ? ['agrees'] : [],
  isOffLine: true,
});

export const RECORDING = {
  'record honestly': (ground: Ground, doing: Doing) => recordSet(ground, doing, {}),
  'record honestly on the bridge': (ground: Ground, doing: Doing) =>
    recordSet(ground, doing, { weighbridge: ground.bridge.line, reference_id: ground.bridge.id }),
  'record a lighter truck': async (ground: Ground, doing: Doing) =>
    recordSet(ground, doing, { readings: { DRIVE: LIGHT } }, await offLine(ground, doing)),
  'record junk': (ground: Ground, doing: Doing) =>
    recordSet(ground, doing, { readings: { STEER: JUNK, DRIVE: JUNK } }, { faults: ['plausible'], isOffLine: true }),
  async 'record the same again'(ground: Ground, doing: Doing) {
    const isAgain = ground.copied;
    const deed = await recordSet(ground, doing, { nudge: 300 }, { faults: isAgain ? ['plausible'] : [] });
    if (deed.do === 'record') ground.copied = true;
    return deed;
  },
  async 'record one group'(ground: Ground, doing: Doing) {
    const found = await findVehicle(ground.services.db, ground.rego);
    const groups = found.state === 'live' ? axleGroupsOf(found.vehicle.axleGroups) : [];
    return recordSet(
      ground,
      doing,
      { axles: ['STEER'] },
      {
        faults: groups.length > 1 ? ['complete'] : [],
        isOffLine: true,
      },
    );
  },
  'record for too long': (ground: Ground, doing: Doing) => {
    const { longest } = doing.before.rules;
    const change = { due_date: addDays(today(ground), longest + 2) };
    // Of more than two years no reading can be stored.
    return longest > 366 ? Promise.resolve(NOTHING) : recordSet(ground, doing, change, { faults: ['interval'] });
  },
  'record without a due date': (ground: Ground, doing: Doing) =>
    recordSet(ground, doing, { due_date: null }, { faults: ['interval'] }),
  'record late': (ground: Ground, doing: Doing) =>
    recordSet(
      ground,
      doing,
      { visitedAt: new Date(ground.services.now().getTime() - 12 * 86_400_000) },
      { faults: doing.before.rules.prompt < 11 ? ['prompt'] : [] },
    ),
  async 'record a replaced sensor'(ground: Ground, doing: Doing) {
    const begins = { STEER: 'sensor_replaced', DRIVE: 'sensor_replaced' } as const;
    return recordSet(ground, doing, { begins, readings: { DRIVE: LIGHT } }, await offLine(ground, doing));
  },
  async 'record singles'(ground: Ground, { who, nth }: Doing): Promise<Deed> {
    const { services, rego } = ground;
    const random = randomFrom(nth + ground.visits.size * 1009);
    const isJunk = nth % 3 === 2;
    const faults = [...(isJunk ? ['plausible'] : []), ...(await faultsOfTruck(ground))];
    for (const axle of nth % 3 === 1 ? (['STEER'] as const) : BOTH)
      await recordSingles(services, who, rego, axle, {
        readings: isJunk ? JUNK : randomReadings(random, axle),
        ...(nth % 3 === 1 ? { only: ['empty_volt'] } : {}),
      });
    const made = { faults, ...(isJunk || nth % 3 === 1 ? { isOffLine: true as const } : {}) };
    const joined = [...ground.visits.entries()].findLast(([, { parts }]) => parts.has(who.personId))?.[0];
    const visit = (await learn(ground, { parts: [who.personId], ...made })) ?? joined;
    if (visit === undefined) return NOTHING;
    const known = ground.visits.get(visit);
    for (const fault of faults) known?.faults.add(fault);
    if (known !== undefined && isJunk) known.isOwnLine = false;
    return { do: 'record', visit };
  },
  async 'send a captured visit'(ground: Ground, doing: Doing): Promise<Deed> {
    const { who, nth, before } = doing;
    const captor = ground.actors[nth % ground.actors.length] ?? who;
    const found = await findVehicle(ground.services.db, ground.rego);
    if (found.state !== 'live') return NOTHING;
    const isOwn = captor.personId === who.personId;
    const wasThere = nth % 3 === 0;
    const isLight = nth % 2 === 0;
    const random = randomFrom(nth + ground.visits.size * 1009);
    const cells = BOTH.flatMap((axle) => {
      const four = { ...randomReadings(random, axle), ...(isLight && axle === 'DRIVE' ? LIGHT : {}) };
      return READING_FIELDS.map(({ field }) => [nameOf(axle, field), four[field]] as const);
    });
    const now = ground.services.now().toISOString();
    const day = addDays(today(ground), -1);
    const fields: Record<string, string> = {
      ...Object.fromEntries(cells),
      confirmed: 'yes',
      rego: ground.rego,
      vin: found.vehicle.vin,
      visit_date: day,
      visit_time: '09:00',
      due_date: addDays(day, Math.min(before.rules.longest, 180)),
      capture_id: crypto.randomUUID(),
      captured_at: now,
      captured_by: captor.personId,
      vehicle_id: found.vehicle.id,
      form_version: String(FORM_VERSION),
      ...(isOwn ? {} : { from_file: 'yes', was_there: wasThere ? 'yes' : 'no' }),
    };
    const all = new Map([
      ...Object.entries(fields).map(([name, value]): [string, string[]] => [name, [value]]),
      ['axle', [...BOTH]],
    ]);
    const { faults: ofLine = [], ...made }: Made = isLight ? await offLine(ground, doing) : {};
    const faults = [...(isOwn || wasThere ? [] : ['truck']), ...ofLine, ...(await faultsOfTruck(ground))];
    const answer = await recordCapturedVisit(ground.services, who, { fields: new Map(Object.entries(fields)), all });
    if (!answer.recorded) return NOTHING;
    const visit = await learn(ground, { parts: [who.personId, captor.personId], faults, ...made });
    return visit === undefined ? NOTHING : { do: 'record', visit };
  },
};

async function decide(ground: Ground, { who, nth }: Doing, decision: 'accepted' | 'set-aside'): Promise<Deed> {
  if (who.role !== 'admin') return NOTHING;
  const { services } = ground;
  const visits = await openVisits(
    ground,
    decision === 'accepted' ? ['waits', 'partial', 'set-aside'] : ['waits', 'counts', 'accepted'],
  );
  const visit = visits[nth % Math.max(1, visits.length)];
  if (visit === undefined) return NOTHING;
  const reason = decision === 'accepted' ? 'weighed-again' : 'does-not-fit';
  const input = { decision, reason, note: '', openedState: visit.state } as const;
  const moment = { now: services.now(), key: undefined };
  const answer = await decideVisit(services.db, who, { visitId: visit.id, input, ...moment });
  if (!answer.decided) return NOTHING;
  return { do: decision === 'accepted' ? 'accept' : 'set aside', visit: visit.id, by: who.personId };
}

async function openVisits({ services, rego }: Ground, states: readonly string[]) {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') return [];
  return (await visitsOf(services, rego)).filter(({ state }) => states.includes(state)).toReversed();
}

async function correct(ground: Ground, { who, nth, before }: Doing, change: 'due' | 'weight'): Promise<Deed> {
  const { services, rego, visits } = ground;
  const all = await openVisits(ground, ['waits', 'counts', 'accepted', 'partial']);
  const visit = all[nth % Math.max(1, Math.min(2, all.length))];
  const known = visit === undefined ? undefined : visits.get(visit.id);
  if (visit === undefined || known === undefined) return NOTHING;
  const { dueOn: dueBefore, day, faults, parts } = known;
  const isSpoilt = nth % 2 === 0;
  const others = isSpoilt && change === 'weight' ? await linesBefore(ground, before) : 0;
  const due = [addDays(day, before.rules.longest), addDays(day, 100), addDays(day, 190)][nth % 3] ?? '';
  const answers =
    change === 'due'
      ? await correctVisit(services, who, rego, visit.id, { due_date: due })
      : await correctVisit(
          services,
          who,
          rego,
          visit.id,
          { value: isSpoilt ? LIGHT.loaded_weight : honestReadings('DRIVE', 0).loaded_weight },
          { axle: 'DRIVE', attribute: 'Loaded Weight' },
        );
  if (!answers.some(({ corrected }) => corrected)) return NOTHING;
  parts.add(who.personId);
  const isLate = addDays(day, before.rules.prompt) < today(ground);
  known.isCorrectedLate ||= isLate;
  if (change === 'due') faults.delete('interval');
  if (change === 'weight') {
    if (!isLate) known.isOwnLine = !isSpoilt;
    faults.delete('agrees');
    if (isSpoilt && others > 1) faults.add('agrees');
  }
  return { do: 'correct', visit: visit.id, dueBefore };
}

export const DECIDING = {
  accept: (ground: Ground, doing: Doing) => decide(ground, doing, 'accepted'),
  'set aside': (ground: Ground, doing: Doing) => decide(ground, doing, 'set-aside'),
  'correct the due date': (ground: Ground, doing: Doing) => correct(ground, doing, 'due'),
  'correct a weight': (ground: Ground, doing: Doing) => correct(ground, doing, 'weight'),
};
