// What an import would do with each line of a file. The preview shows it, and the import does it again for each block:
// what has changed since the preview is left alone.
//
// An import decides no verdict: a due date and a validation are set on the truck's own page, one by one, by somebody
// who says why.
import type { Db } from '#app/platform/database/database.server.ts';
import { axleGroupsOf } from '#app/vehicles/axle.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import { groupsToKeep } from '#app/vehicles/read-groups.server.ts';
import { areDeciding, changesOf, textsOf } from '#app/vehicles/vehicle-columns.server.ts';
import { vehicleSchema, type VehicleInput } from '#app/vehicles/vehicle-entry.ts';
import { VEHICLE_FIELDS, wordsOf } from '#app/vehicles/vehicle-fields.ts';
import { readRegos, type ReadRego } from '#app/vehicles/read-rego.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { knownVin, normaliseVin, stateQuestion, type ParsedRego, type SetOffState } from '#app/vehicles/vehicle.ts';
import { identifierMark, MAY_HAVE_CHANGED } from '#app/platform/http/spreadsheet-mark.ts';
import { regoMark, regosAlike } from '#app/vehicles/rego-mark.server.ts';
import type { LinePlan } from './import-answer.ts';
import { notesOf } from './mark-lines.server.ts';
import type { GivenVehicle } from './read-vehicles.server.ts';

/** With what a write needs. */
export type PlannedLine = LinePlan & { input?: VehicleInput };

/** What a plan needs of the services. */
export type Planning = Pick<Services, 'db' | 'now'> & { config: Pick<Services['config'], 'timeZone'> };

/** The plans of the lines at the places `from` to `to` (exclusive). The whole file says which name a truck twice. */
export async function planImport(
  { db, now, config }: Planning,
  vehicles: readonly GivenVehicle[],
  { from, to }: { from: number; to: number },
): Promise<PlannedLine[]> {
  const part = vehicles.slice(from, to);
  const ofFile = await readRegosOf(db, vehicles);
  const regos = ofFile.slice(from, to);
  const named = regos.flatMap((parsed) => (parsed.ok ? [parsed.rego] : []));
  const known = await findKnown(db, named);
  const alike = await regosAlike(db, named);
  const owners = await findOwners(
    db,
    part.flatMap(({ cells }) => normaliseVin(cells.vin ?? '') ?? []),
  );
  // Of those whose line gives a list.
  const listed = part.flatMap(({ cells }, place) => {
    const parsed = regos[place];
    return (cells.axle_groups ?? '') !== '' && parsed?.ok === true ? (known.get(parsed.rego) ?? []) : [];
  });
  const kept = await groupsToKeep(db, listed, { now: now(), zone: config.timeZone });
  const first = firstLines(vehicles, ofFile);
  return part.map((given, place): PlannedLine => {
    const parsed = regos[place];
    const { line } = given;
    const refuse = (kind: 'refused' | 'conflicting', why: string, column = ''): PlannedLine => ({
      line,
      rego: given.rego,
      kind,
      note: { column, cell: column === 'rego' ? given.rego : (given.cells[columnOf(column)] ?? ''), why },
    });
    if (given.wrong !== undefined) return { line, rego: given.rego, kind: 'refused', note: given.wrong };
    if (parsed?.ok !== true) {
      return refuse('refused', withMark(regoMark(given.rego, alike), parsed?.message), 'rego');
    }
    const { rego, without, several } = parsed;
    if (several !== undefined)
      return refuse('refused', `Several trucks have this plate: ${several.join(', ')}.`, 'rego');
    const question = known.has(rego) ? undefined : stateQuestion(given.rego);
    if (question !== undefined) return refuse('refused', question, 'rego');
    const sameRego = first.regos.get(rego);
    if (sameRego !== undefined && sameRego < line)
      return refuse('conflicting', `Line ${sameRego} names this truck already.`);
    const before = known.get(rego);
    const texts = before === undefined ? {} : textsOf(before);
    const version = before?.version ?? null;
    const read = vehicleSchema.safeParse({
      ...texts,
      ...given.cells,
      rego: plateText(rego),
      version: version ?? undefined,
    });
    if (!read.success) {
      const [issue] = read.error.issues;
      const column = String(issue?.path[0]);
      return refuse('refused', withMark(identifierMark(given.cells[columnOf(column)] ?? ''), issue?.message), column);
    }
    const input = read.data;
    const { vin } = input;
    if (vin !== '' && vin !== before?.vin) {
      const sameVin = first.vins.get(vin);
      if (sameVin !== undefined && sameVin < line)
        return refuse('conflicting', `Line ${sameVin} has the same VIN.`, 'vin');
      const owner = owners.get(vin)?.find((other) => other.rego !== rego);
      if (owner !== undefined) return refuse('conflicting', `It is the VIN of ${owner.rego}.`, 'vin');
    }
    if (before !== undefined && before.plateState !== '' && input.plate_state !== before.plateState)
      return refuse('conflicting', STATE_CHANGES, 'plate_state');
    if (before === undefined && (input.calibration_validated || input.next_calibration_due !== null))
      return refuse('conflicting', DECIDES, 'next_calibration_due');
    const changes =
      before === undefined ? [] : changesOf(before, input, 'admin').filter((change) => !isStillNoVin(change));
    if (areDeciding(changes)) return refuse('conflicting', DECIDES, 'next_calibration_due');
    const groups = axleGroupsOf(input.axle_groups);
    if (before !== undefined && !(kept.get(before.id) ?? []).every((axle) => groups.includes(axle)))
      return refuse('conflicting', TAKEN_AWAY, 'axle_groups');
    if (before !== undefined && changes.length === 0) return { line, rego, kind: 'unchanged' };
    const written = before === undefined ? Object.keys(given.cells) : changes.map(({ field }) => field);
    const notes = notesOf(given, { written, before: texts, regos: alike });
    const plan = { line, rego, version, changes: [...readWithout(without), ...changes.map(inWords)], input };
    if (notes.length > 0) return { ...plan, kind: 'marked', notes };
    return { ...plan, kind: before === undefined ? 'new' : 'changed' };
  });
}

// Of a text that several states gave out, the line's own state says which.
async function readRegosOf(db: Db, vehicles: readonly GivenVehicle[]): Promise<ReadRego[]> {
  const read = await readRegos(
    db,
    vehicles.map(({ rego }) => rego),
  );
  const stated = vehicles.map(({ rego, cells }) => `${rego} ${cells.plate_state ?? ''}`);
  const again = read.some((one) => one.ok && one.several !== undefined) ? await readRegos(db, stated) : read;
  return read.map((one, place) => (one.ok && one.several !== undefined ? (again[place] ?? one) : one));
}

export const TAKEN_AWAY = 'A group is taken away on the truck’s own page.';
const STATE_CHANGES = 'The state changes with the plate, on the truck’s own page.';
const DECIDES = 'An import decides no verdict. Due date and validation are set on the truck’s own page.';

// A stored placeholder counts as empty.
const isStillNoVin = ({ field, from, to }: { field: string; from?: unknown; to?: unknown }): boolean =>
  field === 'vin' && to === '' && knownVin(String(from)) === '';

const readWithout = (without: SetOffState | undefined): string[] =>
  without === undefined ? [] : [`Rego: read without ${without.state}`];

const withMark = (mark: string | undefined, message = ''): string =>
  mark === undefined ? message : `${MAY_HAVE_CHANGED} ${mark}`;

const columnOf = (name: string) => VEHICLE_FIELDS.find((field) => field.name === name)?.name ?? 'notes';

function inWords({ field, from, to }: { field: string; from?: unknown; to?: unknown }): string {
  const described = VEHICLE_FIELDS.find(({ name }) => name === field);
  const words = (value: unknown) => {
    const text = wordsOf(described, String(value ?? ''));
    return text === '' ? 'nothing' : `“${text}”`;
  };
  return `${described?.label ?? field}: ${words(from)} becomes ${words(to)}`;
}

function firstLines(
  vehicles: readonly GivenVehicle[],
  parsedRegos: readonly ParsedRego[],
): { regos: Map<string, number>; vins: Map<string, number> } {
  const [regos, vins] = [new Map<string, number>(), new Map<string, number>()];
  for (const [place, { line, cells }] of vehicles.entries()) {
    const parsed = parsedRegos[place];
    if (parsed?.ok === true && !regos.has(parsed.rego)) regos.set(parsed.rego, line);
    const vin = normaliseVin(cells.vin ?? '');
    if (vin !== undefined && vin !== '' && !vins.has(vin)) vins.set(vin, line);
  }
  return { regos, vins };
}

async function findKnown(db: Db, regos: readonly string[]): Promise<Map<string, Vehicle>> {
  if (regos.length === 0) return new Map();
  const found = await db
    .selectFrom('vehicle')
    .selectAll()
    .where('rego', 'in', regos)
    .where('deletedAt', 'is', null)
    .execute();
  return new Map(found.map((vehicle) => [vehicle.rego, vehicle]));
}

// By VIN, the trucks that have it.
async function findOwners(db: Db, vins: readonly string[]): Promise<Map<string, { rego: string }[]>> {
  const asked = vins.filter((vin) => knownVin(vin) !== '');
  if (asked.length === 0) return new Map();
  const found = await db
    .selectFrom('vehicle')
    .select(['vin', 'rego'])
    .where('vin', 'in', asked)
    .where('deletedAt', 'is', null)
    .execute();
  return Map.groupBy(found, ({ vin }) => vin);
}
