import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServices, type TestServices } from '#test/services.ts';
import { checkFiles, type WrongFile } from './check-files.server.ts';
import { storeUpload } from './store-upload.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices();
});
afterAll(() => services.stop());

const check = async () => {
  const wrong: WrongFile[] = [];
  const checked = await checkFiles(services, (file) => wrong.push(file));
  return { checked, wrong };
};

test('a lost file, a lost thumbnail and one altered byte are found, with the vehicle that needs them', async () => {
  const { db, files } = services;
  const keys: { storageKey: string; thumbnailKey: string | null }[] = [];
  for (const rego of ['FILE1', 'FILE2', 'FILE3', 'FILE4']) {
    const noise = await sharp(randomBytes(800 * 600 * 3), { raw: { width: 800, height: 600, channels: 3 } })
      .jpeg()
      .toBuffer();
    const stored = await storeUpload(db, files, { role: 'image', prefix: `vehicles/${rego}`, bytes: noise });
    if (!stored.stored) throw new Error(stored.reason);
    const { id: vehicleId } = await db.insertInto('vehicle').values({ rego }).returning('id').executeTakeFirstOrThrow();
    await db.insertInto('vehicleFile').values({ vehicleId, role: 'image', fileId: stored.fileId }).execute();
    keys.push(
      await db
        .selectFrom('storedFile')
        .select(['storageKey', 'thumbnailKey'])
        .where('id', '=', stored.fileId)
        .executeTakeFirstOrThrow(),
    );
  }
  expect(await check()).toEqual({ checked: 4, wrong: [] });
  await files.remove(keys[0]?.storageKey ?? '');
  await files.remove(keys[1]?.thumbnailKey ?? '');
  const altered = path.join(services.config.dataDir, 'files', keys[2]?.storageKey ?? '');
  await writeFile(altered, 'x', { flag: 'a' });
  const { checked, wrong } = await check();
  expect(checked).toBe(4);
  expect(wrong.map(({ wrong: what, usedBy }) => `${what} ${usedBy.join()}`).toSorted()).toEqual([
    'altered FILE3',
    'missing FILE1',
    'missing FILE2',
  ]);
});
