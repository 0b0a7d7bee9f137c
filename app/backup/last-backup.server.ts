// When `npm run backup` last wrote an archive: noted in DATA_DIR, for anybody who asks whether all is well.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import { writeWhole } from '#app/platform/process/whole-file.server.ts';

const schema = z.object({ at: z.iso.datetime(), file: z.string(), bytes: z.number() });
export type LastBackup = z.infer<typeof schema>;

const fileIn = (dataDir: string) => path.join(dataDir, 'last-backup.json');

export async function noteBackup(dataDir: string, backup: LastBackup): Promise<void> {
  await writeWhole(fileIn(dataDir), Buffer.from(`${JSON.stringify(backup)}\n`));
}

/** Undefined where none is noted, or what is noted cannot be read. */
export async function lastBackup(dataDir: string): Promise<LastBackup | undefined> {
  const text = await unlessMissing(readFile(fileIn(dataDir), 'utf8'));
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
