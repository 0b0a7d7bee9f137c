// Finds the stored files that are public: those of vehicles, calibration sets and weighbridges.
import { sql, type Selectable } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Tables } from '#database/tables.ts';

const STORED = ['storageKey', 'thumbnailKey', 'sha256', 'mediaType'] as const;

/**
 * A stored file that a vehicle, a calibration set or a verification of a weighbridge refers to, and whether it or its
 * vehicle was removed, or an admin hid it. `name`: for a download, without the ending.
 */
export type PublicFile = Pick<Selectable<Tables['storedFile']>, (typeof STORED)[number]> & {
  name: string;
  removed: 'file' | 'vehicle' | null;
};

/**
 * When an admin first hid this file as the photo of a visit, as SQL. Several visits to a truck have one file where
 * their photos are the same bytes, and so has an image of the truck: hidden once, it is public nowhere.
 */
export const photoHiddenAt = (fileId: string): string =>
  `(select min(hidden.photo_hidden_at) from calibration_set pictured join visit hidden on hidden.id = pictured.id
    where pictured.photo_id = ${fileId} or pictured.more_photo_ids @> array[${fileId}])`;
const HIDDEN_AT = sql<Date | null>`${sql.raw(photoHiddenAt('stored_file.id'))}`.as('hiddenAt');

/** The file with this id, if a public record has it, or had it. Other files (portraits) are not public. */
export async function findPublicFile(db: Db, id: string): Promise<PublicFile | undefined> {
  const row = await db
    .selectFrom('storedFile')
    .innerJoin('vehicleFile', 'vehicleFile.fileId', 'storedFile.id')
    .innerJoin('vehicle', 'vehicle.id', 'vehicleFile.vehicleId')
    .select([...STORED, 'role', 'vehicle.rego', 'removedAt', 'vehicle.deletedAt', HIDDEN_AT])
    .where('storedFile.id', '=', id)
    // Several vehicles may have had the rego, one after the other, with the same file.
    .orderBy('vehicleFile.removedAt', (o) => o.desc().nullsFirst())
    .orderBy('vehicle.deletedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return (await findPhoto(db, id)) ?? findVerificationFile(db, id);
  const { role, rego, removedAt, deletedAt, hiddenAt, ...file } = row;
  return { ...file, name: `${role}-${rego}`, removed: removedPart(hiddenAt ?? removedAt, deletedAt) };
}

function removedPart(file: Date | null, vehicle: Date | null): PublicFile['removed'] {
  if (file !== null) return 'file';
  return vehicle === null ? null : 'vehicle';
}

// The photo of a calibration set. It is never removed, because a set never is; an admin may hide it.
async function findPhoto(db: Db, id: string): Promise<PublicFile | undefined> {
  const row = await db
    .selectFrom('storedFile')
    .innerJoin('calibrationSet', (join) =>
      join.on((eb) =>
        eb.or([
          eb('calibrationSet.photoId', '=', eb.ref('storedFile.id')),
          sql<boolean>`calibration_set.more_photo_ids @> array[stored_file.id]`,
        ]),
      ),
    )
    .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
    .select([...STORED, 'vehicle.rego', 'vehicle.deletedAt', HIDDEN_AT])
    .where('storedFile.id', '=', id)
    .orderBy('vehicle.deletedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { rego, deletedAt, hiddenAt, ...file } = row;
  return { ...file, name: `image-${rego}`, removed: removedPart(hiddenAt, deletedAt) };
}

// The certificate of a weighbridge's verification. A withdrawn period's is public no more.
async function findVerificationFile(db: Db, id: string): Promise<PublicFile | undefined> {
  const row = await db
    .selectFrom('storedFile')
    .innerJoin('referenceVerification', 'referenceVerification.fileId', 'storedFile.id')
    .select([...STORED, 'removedAt'])
    .where('storedFile.id', '=', id)
    .orderBy('removedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { removedAt, ...file } = row;
  return { ...file, name: `verification-${id.slice(0, 8)}`, removed: removedPart(removedAt, null) };
}
