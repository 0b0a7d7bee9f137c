// Reads and locks of vehicles, their files and their validations. The back office's filtered list is in
// list-vehicles.server.ts.
//
// The search text is normalised to A-Z and 0-9, so it cannot inject SQL, and no match spans rego and VIN. One
// statement, `search_vehicles()`, returns a page, so it is consistent: it first computes the exact total, then finds
// the page by it.
// - One or two characters, or three that 50,000 vehicles contain: counted by block (the first two characters of the
//   rego). Adding up the blocks finds the page, and only the blocks of that page are read.
// - Other texts of three characters: an index-only scan in the order of regos (`vehicle_live_rego`), or the trigram
//   index if few vehicles contain the text.
// - Longer texts: the trigram index.
// A write only appends its change, and a job adds changes to the counts in bulk soon after (docs/decisions/0004). Each
// search also reads the changes that are not counted yet, so totals and pages are always exact.
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { photoHiddenAt } from '#app/files/queries.server.ts';
import type { Db, InJson, Tx } from '#app/platform/database/database.server.ts';
import { listPage } from '#app/platform/database/list-page.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY, type Policy } from '#app/policy/policy.ts';
import type { Tables } from '#database/tables.ts';
import { hasFindings } from '#app/transparency-log/history-checks.server.ts';
import { mismatchedVehicles, type OwnState } from '#app/transparency-log/record-states.server.ts';
import type { RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { normaliseSearch } from './vehicle.ts';

export const VEHICLES_PER_PAGE = 10;
/** Up to this length totals come from the gram table; longer searches count by the trigram index. */
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
 * One page of a search: `page` is within 1..`pages`, and `total` is exact. `mismatched`: the ids of the vehicles whose
 * records differ from the log.
 */
export type SearchPage = {
  items: ListedVehicle[];
  page: number;
  pages: number;
  total: number;
  mismatched: ReadonlySet<string>;
};

/** By which the verdicts of a page are judged, as of the same moment. */
export type ShownPolicy = Pick<Policy, 'version' | 'dueSoonDays'>;
type FoundRow = ListedVehicle &
  Pick<OwnState, 'version' | 'leafIndex' | 'hasFindings'> & {
    total: number;
    page: number;
    policyVersion: number | null;
    dueSoonDays: number | null;
  };

/**
 * The live vehicles whose rego or VIN contains `text`, normalised as regos are, ordered by rego. Empty text lists all.
 * A page beyond the last is the last. The SQL is in search_vehicles.sql.
 */
export async function searchVehicles(
  db: Db,
  text: string,
  page: number,
): Promise<SearchPage & { policy: ShownPolicy }> {
  const wanted = Math.min(Math.max(1, Math.trunc(page)), PAGE_MAX);
  const { rows } = await sql<FoundRow>`
    select s.*, ${hasFindings(sql`s.id`)} as has_findings, p.version as policy_version, p.due_soon_days
    from search_vehicles(${normaliseSearch(text)}, ${wanted}, ${VEHICLES_PER_PAGE}) s ${BY_POLICY}`.execute(db);
  const [first] = rows;
  if (first === undefined) throw new Error('search_vehicles() returned no row; it always returns at least one');
  const pages = Math.max(1, Math.ceil(first.total / VEHICLES_PER_PAGE));
  const found = first.total === 0 ? [] : rows;
  const items = found.map(({ total: _t, page: _p, policyVersion: _n, dueSoonDays: _d, ...row }) => {
    const { version: _v, leafIndex: _l, hasFindings: _f, ...item } = row;
    return item;
  });
  const states = found.map((row) => ({ ...row, ...ownRecord(row.id) }));
  const mismatched = await mismatchedVehicles(db, states);
  return { items, page: first.page, pages, total: first.total, mismatched, policy: shownPolicy(first) };
}

/** SQL that joins the policy in force as `p`: `version` and `due_soon_days`. */
export const BY_POLICY = sql`left join (
  select version, due_soon_days from policy order by version desc limit 1) p on true`;

/** The table is empty until the first start inserts version 1. */
export const shownPolicy = (row: { policyVersion: number | null; dueSoonDays: number | null }): ShownPolicy => ({
  version: row.policyVersion ?? FIRST_POLICY.version,
  dueSoonDays: row.dueSoonDays ?? FIRST_POLICY.dueSoonDays,
});

const ownRecord = (id: string): RecordRef => ({ table: 'vehicle', key: id });

/** The exact number of live vehicles whose rego or VIN contains `needle` (normalised). */
export async function countVehicles(db: Db, needle: string): Promise<number> {
  const query =
    needle.length <= GRAM_MAX_LENGTH
      ? sql<{ total: number }>`select vehicle_gram_total(${needle}) as total`
      : sql<{ total: number }>`select count_vehicle_hits(${needle}) as total`;
  return (await query.execute(db)).rows[0]?.total ?? 0;
}

export type Vehicle = Selectable<Tables['vehicle']>;

/** The record of a rego. */
export type FoundVehicle =
  | { state: 'live'; vehicle: Vehicle }
  | { state: 'removed'; removedAt: Date }
  | { state: 'unknown' };

/** The live vehicle with this (normalised) rego; without one, when the last vehicle with it was removed. */
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

/** A vehicle by its internal id, live or removed. */
export function findVehicleById(db: Db | Tx, id: string): Promise<Vehicle | undefined> {
  return db.selectFrom('vehicle').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * The same as `findVehicle`, but locks a live vehicle to the end of the transaction. Until then nobody else can remove
 * or update it.
 */
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
    // Another transaction added or restored it between the two statements, so it is not locked yet: try again.
    if (found.state !== 'live') return found;
  }
}

/** What recording a reading needs of a live vehicle, and closing its visit. */
export type VehicleOfVisit = Pick<
  Vehicle,
  'id' | 'rego' | 'vin' | 'scaleSerialNumber' | 'axleGroups' | 'nextCalibrationDueOn' | 'lastCalibratedAt' | 'restsOn'
>;
/** A file of a vehicle: stored here (`fileId`), or only a link to the former storage (`externalUrl`). */
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

/** A file that a vehicle has or had. `addedBy`: null if it was imported from the former register. */
export type VehicleFileEver = VehicleFile & {
  addedAt: Date;
  removedAt: Date | null;
  addedBy: number | null;
  /** An admin hid the same file as the photo of a visit. */
  isHidden: boolean;
};

/** The files of a vehicle that were not removed, in their order. */
export async function listVehicleFiles(db: Db | Tx, vehicleId: string): Promise<VehicleFile[]> {
  return (await listVehicleFilesEver(db, vehicleId)).filter(({ removedAt }) => removedAt === null);
}

const FILE = named<VehicleFileEver>({
  id: 'f.id',
  role: 'f.role',
  fileId: 'f.file_id',
  externalUrl: 'f.external_url',
  uploadedName: 'f.uploaded_name',
  addedAt: 'f.added_at',
  removedAt: 'f.removed_at',
  addedBy: 'f.added_by',
  mediaType: 's.media_type',
  width: 's.width',
  height: 's.height',
  size: 's.size',
  storageKey: 's.storage_key',
  hasThumbnail: 's.thumbnail_key is not null',
  isHidden: `${photoHiddenAt('f.file_id')} is not null`,
});

/** The SQL of `listVehicleFilesEver`. */
export const filesEverOf = (vehicleId: RawBuilder<unknown>): RawBuilder<VehicleFileEver> =>
  sql`select ${FILE} from vehicle_file f left join stored_file s on s.id = f.file_id
    where f.vehicle_id = ${vehicleId} order by f.role, f.position, f.id`;

/** The database writes instants into JSON as text. */
export const fileFromJson = (file: InJson<VehicleFileEver>): VehicleFileEver => ({
  ...file,
  addedAt: instantOf(file.addedAt),
  removedAt: file.removedAt === null ? null : instantOf(file.removedAt),
});

/** The files that a vehicle has and had, in their order. */
export async function listVehicleFilesEver(db: Db | Tx, vehicleId: string): Promise<VehicleFileEver[]> {
  return (await filesEverOf(sql`${vehicleId}`).execute(db.withoutPlugins())).rows;
}

/** The names of actors at the time when they acted, by actor id. */
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
export function listRemovedVehicles(db: Db, page: number) {
  const removed = db.selectFrom('vehicle').where('vehicle.deletedAt', 'is not', null);
  return listPage(
    { page, perPage: VEHICLES_PER_PAGE },
    async () => (await removed.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n,
    (limit, offset) =>
      removed
        .leftJoin('actor', 'actor.id', 'vehicle.deletedBy')
        .select(['vehicle.id', 'rego', 'vin', 'companyName', 'vehicle.deletedAt', 'actor.name as removedBy'])
        .orderBy('vehicle.deletedAt', 'desc')
        .orderBy('vehicle.id')
        .limit(limit)
        .offset(offset)
        .execute(),
  );
}
