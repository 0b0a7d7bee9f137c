// Every read of vehicles.
//
// A search's text is normalised to A-Z and 0-9, so nothing can be injected and no match crosses from the rego into the VIN. A
// page is one statement, `search_vehicles()`, so as of one moment: it knows the exact total first, and by that finds the page.
// Texts of one and two characters, and those of three that 50,000 vehicles hold, are also counted by block (the first two
// characters of the rego): adding up blocks leads to the page, and only the blocks in which it lies are read. Others of three
// are read in the order of regos (`vehicle_live_rego`, an index alone) or in the trigram index, where few hold the text; longer
// ones over the trigram index. What a write changed is appended as it is, and counted in bulk soon after (docs/decisions/0004);
// what is appended and not counted yet is looked through by each search, so totals and places are exact at any moment. That a
// row of a list matches the log is remembered while neither the row's version in the database nor its last leaf is another; a
// vehicle's own page reads the log each time.
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Db, InJson, Tx } from '#app/platform/database/database.server.ts';
import type { Tables } from '#database/tables.ts';
import { mismatchedStates, type VehicleState } from '#app/transparency-log/vehicle-records.server.ts';
import { normaliseSearch } from './vehicle.ts';
import { withdrawnAt } from './verdict.ts';

export const VEHICLES_PER_PAGE = 10;
/** Up to this length totals come from the gram table; longer searches count over the trigram index. */
const GRAM_MAX_LENGTH = 3;
const PAGE_MAX = 1_000_000;

/** A vehicle as a list shows it. */
export type ListedVehicle = {
  id: string;
  rego: string;
  vin: string;
  warrantyExpiresOn: string | null;
  scaleSerialNumber: string;
  calibrationValidated: boolean;
  nextCalibrationDueOn: string | null;
  lastCalibratedAt: Date | null;
  certificateFileId: string | null;
  certificateUrl: string | null;
};

/**
 * One page of a search: `page` is within 1..`pages`, and `total` exact. `mismatched`: the ids of those whose records are not
 * what was logged.
 */
export type SearchPage = {
  items: ListedVehicle[];
  page: number;
  pages: number;
  total: number;
  mismatched: ReadonlySet<string>;
};

type FoundRow = ListedVehicle & VehicleState & { total: number; page: number };

/**
 * The live vehicles whose rego or VIN holds `text`, normalised as regos are, ordered by rego. Empty text lists all. A
 * page beyond the last is the last. One statement, so as of one moment (0017_search_blocks.sql has how it is found).
 */
export async function searchVehicles(db: Db, text: string, page: number): Promise<SearchPage> {
  const wanted = Math.min(Math.max(1, Math.trunc(page)), PAGE_MAX);
  // Names as they are here: turning those of the database into them takes as long as all the rest.
  const { rows } = await sql<FoundRow>`select total, page, id, rego, vin, warranty_expires_on as "warrantyExpiresOn",
      scale_serial_number as "scaleSerialNumber", calibration_validated as "calibrationValidated",
      next_calibration_due_on as "nextCalibrationDueOn", last_calibrated_at as "lastCalibratedAt",
      certificate_file_id as "certificateFileId", certificate_url as "certificateUrl", version, leaf_index as "leafIndex"
    from search_vehicles(${normaliseSearch(text)}, ${wanted}, ${VEHICLES_PER_PAGE})`.execute(db.withoutPlugins());
  const [first] = rows;
  if (first === undefined) throw new Error('a search has always a row');
  const pages = Math.max(1, Math.ceil(first.total / VEHICLES_PER_PAGE));
  const found = first.total === 0 ? [] : rows;
  const items = found.map(({ total: _total, page: _page, version: _version, leafIndex: _leaf, ...item }) => item);
  return { items, page: first.page, pages, total: first.total, mismatched: await mismatchedStates(db, found) };
}

/** How many live vehicles hold `needle` (normalised), exactly. */
export async function countVehicles(db: Db, needle: string): Promise<number> {
  const query =
    needle.length <= GRAM_MAX_LENGTH
      ? sql<{ total: number }>`select vehicle_gram_total(${needle}) as total`
      : sql<{ total: number }>`select count_vehicle_hits(${needle}) as total`;
  return (await query.execute(db)).rows[0]?.total ?? 0;
}

export type Vehicle = Selectable<Tables['vehicle']>;

/** What the registry knows under a rego. */
export type FoundVehicle =
  | { state: 'live'; vehicle: Vehicle }
  | { state: 'removed'; removedAt: Date }
  | { state: 'unknown' };

/** The live vehicle with this (normalised) rego; else when the last one that had it was removed. */
export async function findVehicle(db: Db | Tx, rego: string): Promise<FoundVehicle> {
  const vehicle = await db
    .selectFrom('vehicle')
    .selectAll()
    .where('rego', '=', rego)
    .orderBy('deletedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (vehicle === undefined) return { state: 'unknown' };
  return vehicle.deletedAt === null ? { state: 'live', vehicle } : { state: 'removed', removedAt: vehicle.deletedAt };
}

/** Any record, live or removed, by its internal id. */
export function findVehicleById(db: Db, id: string): Promise<Vehicle | undefined> {
  return db.selectFrom('vehicle').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The same; a live one is locked to the end of the transaction: nobody removes or updates it meanwhile. */
export async function lockVehicle(tx: Tx, rego: string): Promise<FoundVehicle> {
  for (;;) {
    const vehicle = await tx
      .selectFrom('vehicle')
      .selectAll()
      .where('rego', '=', rego)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (vehicle !== undefined) return { state: 'live', vehicle };
    const found = await findVehicle(tx, rego);
    // Added or restored between the two statements: it is there, and not locked yet.
    if (found.state !== 'live') return found;
  }
}

/** What a reading needs to know of a live vehicle. */
export type VehicleOfReading = Pick<Vehicle, 'id' | 'rego' | 'nextCalibrationDueOn'>;

/**
 * Locks the live vehicles of `regos` that nobody else has locked, to the end of the transaction, and waits for nobody. As an
 * SQL value: a JSON array of `VehicleOfReading`.
 */
export const lockedFreeVehicles = (regos: readonly string[]): RawBuilder<VehicleOfReading[]> => sql`(
  select coalesce(json_agg(free), '[]') from (
    select id, rego, next_calibration_due_on as "nextCalibrationDueOn" from vehicle
    where rego in (select value from jsonb_array_elements_text(${JSON.stringify(regos)}::jsonb)) and deleted_at is null
    order by rego for update skip locked) free)`;

/** A file of a vehicle: here (`fileId`), or only a link to the former storage (`externalUrl`). */
export type VehicleFile = {
  id: string;
  role: 'certificate' | 'image';
  fileId: string | null;
  externalUrl: string;
  uploadedName: string;
  mediaType: string | null;
  width: number | null;
  height: number | null;
  size: number | null;
  storageKey: string | null;
  hasThumbnail: boolean;
};

/** A file that a vehicle has or had. `addedBy`: null when it was taken over from the former register. */
export type VehicleFileEver = VehicleFile & { addedAt: Date; removedAt: Date | null; addedBy: number | null };

/** The files of a vehicle that were not removed, in their order. */
export async function listVehicleFiles(db: Db | Tx, vehicleId: string): Promise<VehicleFile[]> {
  return (await listVehicleFilesEver(db, vehicleId)).filter(({ removedAt }) => removedAt === null);
}

/** The files that the vehicle with this id has and had, in their order, as SQL. */
export const filesEverOf = (vehicleId: RawBuilder<unknown>): RawBuilder<VehicleFileEver> =>
  sql`select f.id, f.role, f.file_id as "fileId", f.external_url as "externalUrl", f.uploaded_name as "uploadedName",
      f.added_at as "addedAt", f.removed_at as "removedAt", f.added_by as "addedBy", s.media_type as "mediaType",
      s.width, s.height, s.size, s.storage_key as "storageKey", s.thumbnail_key is not null as "hasThumbnail"
    from vehicle_file f left join stored_file s on s.id = f.file_id
    where f.vehicle_id = ${vehicleId} order by f.role, f.position, f.id`;

/** As the database writes it into JSON. */
export const fileFromJson = (file: InJson<VehicleFileEver>): VehicleFileEver => ({
  ...file,
  addedAt: new Date(file.addedAt),
  removedAt: file.removedAt === null ? null : new Date(file.removedAt),
});

/** The files that a vehicle has and had, in their order. */
export async function listVehicleFilesEver(db: Db | Tx, vehicleId: string): Promise<VehicleFileEver[]> {
  return (await filesEverOf(sql`${vehicleId}`).execute(db.withoutPlugins())).rows;
}

/** What actors were called when they acted, by their id. */
export async function findNames(db: Db, actorIds: readonly (number | null)[]): Promise<Map<number, string>> {
  const ids = actorIds.filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('actor').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The latest decision on 'calibration validated'. */
export async function latestValidation(db: Db, vehicleId: string) {
  return db
    .selectFrom('validation')
    .leftJoin('actor', 'actor.id', 'validation.decidedBy')
    .select(['validated', 'reason', 'origin', 'decidedAt', 'actor.name as by'])
    .where('vehicleId', '=', vehicleId)
    .orderBy('validation.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The day in `zone` on which the validation of a vehicle that is not validated was withdrawn. Null: it never had one. */
export async function validationWithdrawnOn(
  db: Db | Tx,
  { id, calibrationValidated }: Pick<Vehicle, 'id' | 'calibrationValidated'>,
  zone: string,
): Promise<string | null> {
  if (calibrationValidated) return null;
  const decisions = db.selectFrom('validation').select(['decidedAt as at', 'validated']).where('vehicleId', '=', id);
  const at = withdrawnAt(await decisions.orderBy('id').execute());
  return at === null ? null : todayIn(zone, at);
}

/** The removed vehicles, the latest first. A page beyond the last is the last. */
export async function listRemovedVehicles(db: Db, page: number) {
  const removed = db.selectFrom('vehicle').where('vehicle.deletedAt', 'is not', null);
  const { total } = await removed.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const pages = Math.max(1, Math.ceil(total / VEHICLES_PER_PAGE));
  const current = Number.isSafeInteger(page) ? Math.min(Math.max(1, page), pages) : 1;
  const items = await removed
    .leftJoin('actor', 'actor.id', 'vehicle.deletedBy')
    .select(['vehicle.id', 'rego', 'vin', 'companyName', 'vehicle.deletedAt', 'actor.name as removedBy'])
    .orderBy('vehicle.deletedAt', 'desc')
    .orderBy('vehicle.id')
    .limit(VEHICLES_PER_PAGE)
    .offset((current - 1) * VEHICLES_PER_PAGE)
    .execute();
  return { items, page: current, pages, total };
}
