// Backs up and restores the registry of test services.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type BackupReport, type BackupRequest, backUpRegistry } from '#app/backup/back-up-registry.server.ts';
import { checkRestored } from '#app/backup/check-restored.server.ts';
import { examineArchive, planKeys } from '#app/backup/examine-archive.server.ts';
import { restoreRegistry } from '#app/backup/restore-registry.server.ts';
import { checkFiles } from '#app/files/check-files.server.ts';
import { type Config, readConfig } from '#app/platform/process/config.server.ts';
import { type FileStore, openFileStore } from '#app/platform/storage/file-store.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { createEmptyDatabase, type TestDatabase } from './database.ts';

export type RestoredRegistry = TestDatabase & { files: FileStore; config: Config };

/** Backs the registry of test services up into `file`. */
export function backUp(
  { config, address, files }: Pick<BackupRequest, 'config' | 'address' | 'files'>,
  file: string,
  more: Partial<BackupRequest> = {},
): Promise<BackupReport> {
  const quiet = { report: () => {}, progress: () => {} };
  return backUpRegistry({
    ...quiet,
    config,
    address,
    files,
    file,
    product: 'test',
    withLogKey: false,
    withAuthSecret: false,
    ...more,
  });
}

/** Restores `file` into a database and a data folder of its own; `drop` removes both. */
export async function restoreAnew(file: string): Promise<RestoredRegistry> {
  const database = await createEmptyDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'restored-'));
  const drop = async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  };
  try {
    const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
    const files = await openFileStore({ directory: path.join(folder, 'files') });
    await restoreInto({ config, address: database.address, files }, file);
    return { ...database, files, config, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

export async function restoreInto(
  target: { config: Config; address: DatabaseAddress; files: FileStore },
  file: string,
): Promise<void> {
  const archive = await examineArchive(file, () => {});
  const keys = await planKeys(target.config, archive);
  await restoreRegistry({ ...target, file, archive, keys, progress: () => {} });
}

/** The findings of the checks after a restore. */
export async function findingsOf({ db, files }: Pick<Services, 'db' | 'files'>): Promise<string[]> {
  const findings: string[] = [];
  const report = (sentence: string) => void findings.push(sentence);
  await checkRestored(db, report);
  await checkFiles({ db, files }, ({ key, wrong }) => report(`${wrong}: ${key}`));
  await verifyDatabase(db, report);
  return findings;
}

/** The hashes of an archive's parts that begin with `prefix`, as the archive has them. */
export async function sumsOf(file: string, prefix: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('tar', ['-xOf', file, '--wildcards', 'sums/*'], {
    maxBuffer: 1e8,
  });
  return stdout.split('\n').filter((line) => line.slice(66).startsWith(prefix));
}
