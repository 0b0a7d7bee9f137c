// Finds the stored files that are public: those of vehicles and calibration sets.
import type { Db } from '#app/platform/database/database.server.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '#database/tables.ts';

/** A stored file that a vehicle or a calibration set refers to, and whether it or its vehicle was removed. */
export type PublicFile = Pick<
  Selectable<Tables['storedFile']>,
  'storageKey' | 'thumbnailKey' | 'sha256' | 'mediaType'
> & {
  role: 'certificate' | 'image';
  rego: string;
  removed: 'file' | 'vehicle' | null;
};

/** The file with this id, if a vehicle or one of its sets has it, or had it. Other files (portraits) are not public. */
export async function findPublicFile(db: Db, id: string): Promise<PublicFile | undefined> {
  const row = await db
    .selectFrom('storedFile')
    .innerJoin('vehicleFile', 'vehicleFile.fileId', 'storedFile.id')
    .innerJoin('vehicle', 'vehicle.id', 'vehicleFile.vehicleId')
    .select([
      'storageKey',
      'thumbnailKey',
      'sha256',
      'mediaType',
      'role',
      'vehicle.rego',
      'removedAt',
      'vehicle.deletedAt',
    ])
    .where('storedFile.id', '=', id)
    // Several vehicles may have had the rego, one after the other, with the same file.
    .orderBy('vehicleFile.removedAt', (o) => o.desc().nullsFirst())
    .orderBy('vehicle.deletedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return findPhoto(db, id);
  const { removedAt, deletedAt, ...file } = row;
  return { ...file, removed: removedAt !== null ? 'file' : deletedAt !== null ? 'vehicle' : null };
}

// The photo of a calibration set. It is never removed on its own, because a set never is.
async function findPhoto(db: Db, id: string): Promise<PublicFile | undefined> {
  const row = await db
    .selectFrom('storedFile')
    .innerJoin('calibrationSet', 'calibrationSet.photoId', 'storedFile.id')
    .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
    .select(['storageKey', 'thumbnailKey', 'sha256', 'mediaType', 'vehicle.rego', 'vehicle.deletedAt'])
    .where('storedFile.id', '=', id)
    .orderBy('vehicle.deletedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { deletedAt, ...file } = row;
  return { ...file, role: 'image', removed: deletedAt === null ? null : 'vehicle' };
}
