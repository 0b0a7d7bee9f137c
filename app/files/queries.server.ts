// Every read of stored files.
import type { Db } from '#app/platform/database.server.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '#database/tables.ts';

/** A stored file that a vehicle or a calibration set refers to; `removed` when no vehicle does any more. */
export type PublicFile = Pick<
  Selectable<Tables['storedFile']>,
  'storageKey' | 'thumbnailKey' | 'sha256' | 'mediaType'
> & {
  role: 'certificate' | 'image';
  rego: string;
  removed: boolean;
};

/** The file with this id, if a vehicle or one of its sets has or had it. Other files (portraits) are not public. */
export async function findPublicFile(db: Db, id: string): Promise<PublicFile | undefined> {
  const row = await db
    .selectFrom('storedFile')
    .innerJoin('vehicleFile', 'vehicleFile.fileId', 'storedFile.id')
    .innerJoin('vehicle', 'vehicle.id', 'vehicleFile.vehicleId')
    .select([
      'storedFile.storageKey',
      'storedFile.thumbnailKey',
      'storedFile.sha256',
      'storedFile.mediaType',
      'vehicleFile.role',
      'vehicle.rego',
      'vehicleFile.removedAt',
    ])
    .where('storedFile.id', '=', id)
    .orderBy('vehicleFile.removedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return findPhoto(db, id);
  const { removedAt, ...file } = row;
  return { ...file, removed: removedAt !== null };
}

// Of a calibration set: never removed, as the set is not.
async function findPhoto(db: Db, id: string): Promise<PublicFile | undefined> {
  const row = await db
    .selectFrom('storedFile')
    .innerJoin('calibrationSet', 'calibrationSet.photoId', 'storedFile.id')
    .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
    .select(['storageKey', 'thumbnailKey', 'sha256', 'mediaType', 'vehicle.rego'])
    .where('storedFile.id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { ...row, role: 'image', removed: false };
}
