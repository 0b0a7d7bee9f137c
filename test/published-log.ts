// For tests of the published log: leaves in a database, a folder for the log, and what a reader makes of both.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { readConfig } from '#app/platform/process/config.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { auditLog } from '#app/tlog/audit-log.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { openLogSource } from '#app/transparency-log/log-source.server.ts';
import type { Publication } from '#app/transparency-log/publish.server.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import type { Verification } from '#app/tlog/verification.ts';
import { newKey } from './small-log.ts';

export type TestPublication = Publication & { dataDir: string; remove: () => Promise<void> };

export async function newPublication(db: Db, key?: SigningKey): Promise<TestPublication> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'registry-log-'));
  return {
    db,
    folder: openLogFolder({ dataDir, s3: undefined }),
    key: key ?? (await newKey()),
    dataDir,
    // Who was asked to stop may write one more file.
    remove: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Appends `count` leaves, in transactions of at most 500. */
export async function growLog(db: Db, count: number): Promise<void> {
  const event: LeafEvent = { type: 'technician.approved', body: {}, people: { technician: 'A. Smith' }, records: [] };
  for (let left = count; left > 0; left -= 500)
    await db.transaction().execute((tx) =>
      appendLeaves(
        tx,
        Array.from({ length: Math.min(left, 500) }, () => event),
      ),
    );
}

/** Alters a leaf as anybody who owns the database can. */
export async function alterLeaf(db: Db, index: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`alter table log_leaf disable trigger log_leaf_never_changes`.execute(tx);
    await sql`update log_leaf set entry = replace(entry, 'technician.approved', 'technician.removed'),
      hash = sha256('\\x00'::bytea || convert_to(replace(entry, 'technician.approved', 'technician.removed'), 'UTF8'))
      where index = ${index}`.execute(tx);
    await sql`alter table log_leaf enable trigger log_leaf_never_changes`.execute(tx);
  });
}

/** A publication in a bucket of its own, by the settings that `env` names. */
export function newPublicationInBucket(db: Db, env: NodeJS.ProcessEnv, key: SigningKey): Publication {
  return { db, folder: openLogFolder(readConfig(env)), key };
}

/** The answer of a whole audit of the folder or address. */
export async function audit(place: string, key: SigningKey, saved?: Uint8Array): Promise<Verification> {
  const earlier = saved === undefined ? {} : { saved };
  return auditLog({ sha256: nodeSha256, readFile: openLogSource(place), key: key.verifier, ...earlier });
}

export const publishedFolder = ({ dataDir }: { dataDir: string }): string => path.join(dataDir, 'log', '1');
