// Checks that every stored file exists and matches its record: reads it whole and compares the hash.
import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Db } from '#app/platform/database/database.server.ts';
import { type FileStore, mayHold } from '#app/platform/storage/file-store.server.ts';

/**
 * A file that is missing or differs from its record. `usedBy`: the regos of the vehicles and the names of the
 * weighbridges that refer to it.
 */
export type WrongFile = { key: string; wrong: 'missing' | 'altered'; usedBy: string[] };

const BLOCK = 200;

/** Checks all files and thumbnails. Calls `report` for each wrong one; returns how many records there are. */
export async function checkFiles(
  { db, files }: { db: Db; files: FileStore },
  report: (wrong: WrongFile) => void,
): Promise<number> {
  let [checked, last] = [0, '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const rows = await db
      .selectFrom('storedFile')
      .select(['id', 'storageKey', 'sha256', 'size', 'thumbnailKey'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BLOCK)
      .execute();
    for (const { id, storageKey, sha256, thumbnailKey } of rows) {
      const found = await hashOf(files, storageKey);
      // The key names the hash too, and cannot be changed along with a record and its file.
      if (found !== sha256 || !mayHold(storageKey, found)) {
        const wrong = found === undefined ? 'missing' : 'altered';
        report({ key: storageKey, wrong, usedBy: await usersOf(db, id) });
      }
      if (thumbnailKey !== null && (await files.size(thumbnailKey)) === undefined)
        report({ key: thumbnailKey, wrong: 'missing', usedBy: await usersOf(db, id) });
    }
    checked += rows.length;
    if (rows.length < BLOCK) return checked;
    last = rows.at(-1)?.id ?? last;
  }
}

async function hashOf(files: FileStore, key: string): Promise<string | undefined> {
  if ((await files.size(key)) === undefined) return undefined;
  return hash('sha256', await buffer(await files.read(key)));
}

async function usersOf(db: Db, fileId: string): Promise<string[]> {
  const vehicles = await db
    .selectFrom('vehicleFile')
    .innerJoin('vehicle', 'vehicle.id', 'vehicleFile.vehicleId')
    .select('vehicle.rego')
    .distinct()
    .where('vehicleFile.fileId', '=', fileId)
    .execute();
  const weighbridges = await db
    .selectFrom('referenceVerification')
    .innerJoin('reference', 'reference.id', 'referenceVerification.referenceId')
    .select('reference.name')
    .distinct()
    .where('referenceVerification.fileId', '=', fileId)
    .execute();
  return [...vehicles.map(({ rego }) => rego), ...weighbridges.map(({ name }) => name)];
}
