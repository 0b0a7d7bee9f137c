// Every read of vehicles.
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database.server.ts';
import type { Tables } from '#database/tables.ts';
import type { Selectable } from 'kysely';
import { normaliseSearch } from './vehicle.ts';

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

/** One page of a search: `page` is within 1..`pages`, and `total` exact. */
export type SearchPage = { items: ListedVehicle[]; page: number; pages: number; total: number };

/**
 * The live vehicles whose rego or VIN holds `text`, normalised as regos are, ordered by rego. Empty text lists all. A
 * page beyond the last is the last.
 */
export async function searchVehicles(db: Db, text: string, page: number): Promise<SearchPage> {
  const needle = normaliseSearch(text);
  const total = await countVehicles(db, needle);
  const pages = Math.max(1, Math.ceil(total / VEHICLES_PER_PAGE));
  const current = Math.min(Math.max(1, Math.trunc(page)), pages, PAGE_MAX);
  const items = total === 0 ? [] : await listPage(db, needle, current, total);
  return { items, page: current, pages, total };
}

/** How many live vehicles hold `needle` (normalised), exactly. */
export async function countVehicles(db: Db, needle: string): Promise<number> {
  const query =
    needle.length <= GRAM_MAX_LENGTH
      ? sql<{ total: number }>`select vehicle_gram_total(${needle}) as total`
      : sql<{
          total: number;
        }>`select count(*) as total from vehicle where deleted_at is null and (rego || ' ' || vin) like ${`%${needle}%`}`;
  return (await query.execute(db)).rows[0]?.total ?? 0;
}

// The inner select finds the page in an index alone; the rest of the columns is fetched for its ten rows only. Past the
// middle it is read from the end, as OFFSET costs what it skips.
async function listPage(db: Db, needle: string, page: number, total: number): Promise<ListedVehicle[]> {
  const offset = (page - 1) * VEHICLES_PER_PAGE;
  const count = Math.min(VEHICLES_PER_PAGE, total - offset);
  const fromEnd = offset > total / 2;
  const skip = fromEnd ? total - offset - count : offset;
  const order: RawBuilder<unknown> = fromEnd ? sql`desc` : sql`asc`;
  const holds: RawBuilder<unknown> = needle === '' ? sql`` : sql`and (rego || ' ' || vin) like ${`%${needle}%`}`;
  const { rows } = await sql<ListedVehicle>`
    select v.id, v.rego, v.vin, v.warranty_expires_on, v.scale_serial_number, v.calibration_validated, v.next_calibration_due_on,
      v.last_calibrated_at, c.file_id as certificate_file_id, nullif(c.external_url, '') as certificate_url
    from (select id from vehicle where deleted_at is null ${holds} order by rego ${order} limit ${count} offset ${skip}) k
    join vehicle v using (id)
    left join vehicle_file c on c.vehicle_id = v.id and c.role = 'certificate' and c.removed_at is null
    order by v.rego`.execute(db);
  return rows;
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

/** The files of a vehicle that were not removed, in their order. */
export async function listVehicleFiles(db: Db | Tx, vehicleId: string): Promise<VehicleFile[]> {
  const rows = await db
    .selectFrom('vehicleFile')
    .leftJoin('storedFile', 'storedFile.id', 'vehicleFile.fileId')
    .select([
      'vehicleFile.id',
      'vehicleFile.role',
      'vehicleFile.fileId',
      'vehicleFile.externalUrl',
      'vehicleFile.uploadedName',
      'storedFile.mediaType',
      'storedFile.width',
      'storedFile.height',
      'storedFile.size',
      'storedFile.storageKey',
      'storedFile.thumbnailKey',
    ])
    .where('vehicleId', '=', vehicleId)
    .where('removedAt', 'is', null)
    .orderBy('role')
    .orderBy('position')
    .orderBy('vehicleFile.id')
    .execute();
  return rows.map(({ thumbnailKey, ...file }) => ({ ...file, hasThumbnail: thumbnailKey !== null }));
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
