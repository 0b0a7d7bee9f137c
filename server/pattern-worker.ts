// Looks for patterns in the whole registry, in a thread of its own: half a minute of computing must not hold up a
// request.
import { parentPort, workerData } from 'node:worker_threads';
import { FOR_BACKGROUND, openDatabase } from '#app/platform/database/database.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { lookAtNight } from '#app/patterns/look-for-patterns.server.ts';

export type NightlyWork = { address: DatabaseAddress; zone: string; night: string };

const { address, zone, night }: NightlyWork = workerData;
const { db } = openDatabase(address, { max: 1, patience: FOR_BACKGROUND });
try {
  parentPort?.postMessage(await lookAtNight({ db, now: () => new Date(), zone }, night));
} finally {
  await db.destroy();
}
