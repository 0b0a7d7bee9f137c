// Reads and locks of vehicles, their files and their validations. The back office's filtered list is in
// list-vehicles.server.ts.
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { photoHiddenAt } from '#app/files/queries.server.ts';
import type { Db, InJson, Tx } from '#app/platform/database/database.server.ts';
import { listPage } from '#app/platform/database/list-page.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import type { Tables } from '#database/tables.ts';

export const VEHICLES_PER_PAGE = 10;

/** A vehicle as a list shows it. */
export type ListedVehicle = {
  id: string;
  rego: string;
  plateState: string;
  vin: string;
  warrantyExpiresOn: string | null;
  scaleSerialNumber: string;
  calibrationValidated: boolean;
  nextCalibrationDueOn: string | null;
  lastCalibratedAt: Date | null;
  certificateFileId: string | null;
  certificateUrl: string | null;
};

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

/** The rego of the vehicle `id` while it is live, as SQL to join. By index. */
export const liveRego = (id: string): RawBuilder<unknown> =>
  sql`lateral (select rego from vehicle where id = ${sql.raw(id)} and deleted_at is null offset 0)`;

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
  | 'id'
  | 'rego'
  | 'vin'
  | 'scaleSerialNumber'
  | 'kind'
  | 'axleGroups'
  | 'groupDetails'
  | 'nextCalibrationDueOn'
  | 'lastCalibratedAt'
  | 'restsOn'
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

/** The removed vehicles, without joined records, the latest first. A page beyond the last is the last. */
export function listRemovedVehicles(db: Db, page: number) {
  const removed = db
    .selectFrom('vehicle')
    .where('vehicle.deletedAt', 'is not', null)
    .where('vehicle.joinedInto', 'is', null);
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
