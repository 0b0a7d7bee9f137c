// The transparency log, for tests: what puts records in by itself, and whether log and records agree.
import type { Db } from '#app/platform/database/database.server.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { enterUnlogged } from '#app/transparency-log/enter-before-log.server.ts';

/** Enters records that were put in without a leaf, as a start does with older ones. */
export async function enterLeaves(db: Db): Promise<void> {
  await enterUnlogged(db, unitOf);
}

/**
 * All differences between the log and the records, hashes, chains and openings included; but not that the tests'
 * technicians never went through an approval.
 */
export async function differencesFromLog(db: Db): Promise<string[]> {
  const found: string[] = [];
  await verifyDatabase(db, (sentence) => found.push(sentence));
  return found.filter((sentence) => !sentence.startsWith('technician '));
}
