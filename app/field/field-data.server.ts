// What a technician's phone holds for the time without reception: their trucks with the newest lines, the weighbridges
// of the register, their own visits, the rules. All by today; the phone shows how old it is.
import { sql } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import type { SetReading } from '#app/readings/calibration-set.ts';
import type { CalibrationAttribute } from '#app/readings/calibration.ts';
import { valueWords } from '#app/readings/reading-words.ts';
import { axlesToRead } from '#app/recording/axles-to-read.ts';
import { myVisitsPage } from '#app/recording/my-visits-page.server.ts';
import { wantedAmong } from '#app/check-visits/list-page.server.ts';
import { answerList } from '#app/check-list/answer-list.server.ts';
import type { LineAnswer } from '#app/check-list/line-answer.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { CHECKS } from '#app/policy/checks.ts';
import { suggestedDays } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { findReferences } from '#app/references/queries.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import { axleLabel, AXLES, type Axle } from '#app/vehicles/axle.ts';
import { fittedGroups } from '#app/vehicles/read-groups.server.ts';
import { isOf } from '#app/vehicles/own-vehicles.server.ts';
import { findFormers } from '#app/vehicles/plates.server.ts';
import { readRegos } from '#app/vehicles/read-rego.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { knownVin } from '#app/vehicles/vehicle.ts';
import type { FieldData, FieldTruck } from './field.ts';

/** Those due first. More than anybody looks after: a bound for the phone's memory. */
const OWN_MAX = 1000;
/** That the phone asks for by rego. */
export const ASKED_MAX = 100;
const REFERENCES_MAX = 5000;

/** `asked`: regos that the phone holds beside the person's own trucks. */
export async function fieldData(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  who: SignedIn,
  asked: readonly string[],
): Promise<FieldData> {
  const { db, config, now } = services;
  const moment = now();
  const zone = config.timeZone;
  const today = todayIn(zone, moment);
  const policy = await currentPolicy(db);
  const own = await ownRegos(db, who.personId);
  const read = (await readRegos(db, asked.slice(0, ASKED_MAX))).flatMap((parsed) => (parsed.ok ? [parsed.rego] : []));
  const formers = await findFormers(db, read);
  const wanted = [...new Set(read.map((rego) => formers.get(rego)?.now ?? rego))];
  const trucks = await trucksOf(db, [...new Set([...own, ...wanted])], {
    own: new Set(own),
    personId: who.personId,
    today,
    zone,
    now: moment,
  });
  const there = new Set(trucks.map(({ rego }) => rego));
  const { list } = await myVisitsPage(services, who, { shown: 'all', text: '', page: 1 });
  return {
    at: moment.toISOString(),
    zone,
    person: { id: who.personId, name: who.name },
    trucks,
    missing: wanted.filter((rego) => !there.has(rego)),
    references: (await findReferences(db, '', REFERENCES_MAX)).map((one) => ({ id: one.id, line: referenceLine(one) })),
    visits: list.items.map(({ id, rego, day, word, words }) => ({ id, rego, day, word, words })),
    policy: {
      version: policy.version,
      intervalDays: suggestedDays(policy),
      longestIntervalDays: policy.longestIntervalDays,
      promptDays: policy.promptDays,
      dueSoonDays: policy.dueSoonDays,
    },
    checks: CHECKS.map(({ check, name }) => ({ check, name, rule: policy.checks[check] })),
  };
}

async function ownRegos(db: Db, personId: string): Promise<string[]> {
  const { rows } = await sql<{ rego: string }>`
    select rego from vehicle where deleted_at is null and ${isOf(personId)}
    order by next_calibration_due_on nulls last, rego limit ${OWN_MAX}`.execute(db);
  return rows.map(({ rego }) => rego);
}

type Around = { own: ReadonlySet<string>; personId: string; today: string; zone: string; now: Date };

async function trucksOf(
  db: Db,
  regos: readonly string[],
  { own, personId, today, ...moment }: Around,
): Promise<FieldTruck[]> {
  if (regos.length === 0) return [];
  const vehicles = await db
    .selectFrom('vehicle')
    .select(['id', 'rego', 'vin', 'kind', 'axleGroups', 'groupDetails'])
    .where('deletedAt', 'is', null)
    .where('rego', 'in', [...regos])
    .execute();
  const ids = vehicles.map(({ id }) => id);
  const readings = await newestReadings(db, ids);
  const fitted = await fittedGroups(db, vehicles, moment);
  const wanted = await wantedAmong(db, { personId, today }, ids);
  const formerly = await formerPlates(db, ids);
  const answers = new Map<string, LineAnswer & { kind: 'found' }>();
  const lines = regos.map((text, place) => ({ number: place + 1, text, isHeading: false }));
  for await (const batch of answerList(db, lines, today))
    for (const answer of batch) if (answer.kind === 'found') answers.set(answer.asked, answer);
  return vehicles.flatMap(({ id, rego, vin, kind, groupDetails }) => {
    const answer = answers.get(rego);
    if (answer === undefined) return [];
    const { verdict, matchesLog, dueOn, restsOn } = answer;
    const read = readings.get(id) ?? [];
    const checkUntilOn = wanted.get(id);
    return {
      id,
      rego,
      vin: knownVin(vin),
      verdict,
      matchesLog,
      dueOn,
      restsOn,
      axles: axlesToRead(kind, { fitted: fitted.get(id) ?? [], read: new Set(read.map(({ axle }) => axle)) }),
      kind,
      groupDetails,
      lines: AXLES.flatMap(({ axle }) => lineOf(axle, read, moment.zone)),
      isOwn: own.has(rego),
      ...(formerly.has(id) ? { formerly: formerly.get(id) ?? [] } : {}),
      ...(checkUntilOn === undefined ? {} : { checkUntilOn }),
    };
  });
}

async function formerPlates(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('formerPlate')
    .select(['vehicleId', 'rego'])
    .where('vehicleId', 'in', ids)
    .$narrowType<{ vehicleId: string }>()
    .execute();
  const found = Map.groupBy(rows, ({ vehicleId }) => vehicleId);
  return new Map([...found].map(([id, of]) => [id, of.map(({ rego }) => plateText(rego))]));
}

type NewestReading = { vehicleId: string; axle: Axle; attribute: CalibrationAttribute; value: string; at: Date } & Pick<
  SetReading,
  'unit'
>;

async function newestReadings(db: Db, vehicleIds: readonly string[]): Promise<Map<string, NewestReading[]>> {
  const { rows } = await sql<NewestReading>`
    select distinct on (c.vehicle_id, c.axle, c.attribute) c.vehicle_id, c.axle, c.attribute, c.value, c.unit, c.calibrated_at as at
    from calibration c
    where c.vehicle_id = any(${vehicleIds}::uuid[])
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    order by c.vehicle_id, c.axle, c.attribute, c.id desc`.execute(db);
  return Map.groupBy(rows, ({ vehicleId }) => vehicleId);
}

// 'Empty 0.90 V, 4,780 kg; loaded 2.94 V, 15,720 kg'
function lineOf(axle: Axle, readings: readonly NewestReading[], zone: string): FieldTruck['lines'][number][] {
  const own = readings.filter((reading) => reading.axle === axle);
  const value = (attribute: CalibrationAttribute) => own.find((reading) => reading.attribute === attribute);
  const part = (word: string, state: 'Empty' | 'Loaded') => {
    const said = [value(`${state} Volt`), value(`${state} Weight`)].flatMap((reading) =>
      reading === undefined || reading.value === '' ? [] : valueWords(reading),
    );
    return said.length === 0 ? [] : [`${word} ${said.join(', ')}`];
  };
  const words = [...part('Empty', 'Empty'), ...part('loaded', 'Loaded')];
  const [first] = own.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return first === undefined
    ? []
    : [{ label: axleLabel(axle), day: formatDay(todayIn(zone, first.at), 'short'), words: words.join('; ') }];
}
