// Finds the stored files that are public: those of vehicles, calibration sets and weighbridges.
import type { Db } from '#app/platform/database/database.server.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '#database/tables.ts';

/**
 * A stored file that a vehicle, a calibration set or a verification of a weighbridge refers to, and whether it or its vehicle was
 * removed. `name`: for a download, without the ending.
 */
export type PublicFile = Pick<
  Selectable<Tables['storedFile']>,
  'storageKey' | 'thumbnailKey' | 'sha256' | 'mediaType'
> & {
  name: string;
  removed: 'file' | 'vehicle' | null;
};

/** The file with this id, if a public record has it, or had it. Other files (portraits) are not public. */
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
  if (row === undefined) return (await findPhoto(db, id)) ?? findVerificationFile(db, id);
  const { role, rego, removedAt, deletedAt, ...file } = row;
  return {
    ...file,
    name: `${role}-${rego}`,
    removed: removedAt !== null ? 'file' : deletedAt !== null ? 'vehicle' : null,
  };
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
  const { rego, deletedAt, ...file } = row;
  return { ...file, name: `image-${rego}`, removed: deletedAt === null ? null : 'vehicle' };
}

// The certificate of a weighbridge's verification. A withdrawn period's is public no more.
async function findVerificationFile(db: Db, id: string): Promise<PublicFile | undefined> {
  const row = await db
    .selectFrom('storedFile')
    .innerJoin('referenceVerification', 'referenceVerification.fileId', 'storedFile.id')
    .select(['storageKey', 'thumbnailKey', 'sha256', 'mediaType', 'removedAt'])
    .where('storedFile.id', '=', id)
    .orderBy('removedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { removedAt, ...file } = row;
  return { ...file, name: `verification-${id.slice(0, 8)}`, removed: removedAt === null ? null : 'file' };
}
