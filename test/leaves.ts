// For tests that put records in by themselves: enters them into the transparency log, as a start does with older ones.
import type { Db } from '#app/platform/database/database.server.ts';
import { unitOf } from '#app/calibrations/calibration.ts';
import { enterUnlogged } from '#app/transparency-log/enter-before-log.server.ts';

export async function enterLeaves(db: Db): Promise<void> {
  await enterUnlogged(db, unitOf);
}
