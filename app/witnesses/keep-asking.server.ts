// When witnesses are asked: every ten seconds, on the node that publishes the log. It is never in the way of a write or
// of publishing.
import type { Lease } from '#app/platform/database/leader-election.server.ts';
import { repeatWork } from '#app/platform/database/repeat-work.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { witnessPolicy } from '#app/transparency-log/witness-policy.server.ts';
import { readDiary, WitnessDiary } from './witness-diary.server.ts';
import { WitnessRounds } from './witness-rounds.server.ts';

const ASK_EVERY_MS = 10_000;

/** Begins it, on the node that holds the lease. Returns how to stop. */
export async function keepAsking(
  { db, config, log, now }: Pick<Services, 'db' | 'config' | 'log' | 'now'>,
  lease: Lease,
): Promise<() => Promise<void>> {
  const registry = await witnessPolicy(config);
  if (registry === undefined) return async () => {};
  const { verifier: key } = await logKey(config);
  const folder = openLogFolder(config);
  const stopping = new AbortController();
  const rounds = new WitnessRounds(
    { folder, key, policy: registry.policy, now, log, signal: stopping.signal },
    new WitnessDiary(folder, await readDiary(folder)),
  );
  const name = 'asking the witnesses of the public log';
  const { run, stop } = repeatWork({ ms: ASK_EVERY_MS, name, lease, log, db }, () => rounds.look());
  run();
  return async () => {
    stopping.abort();
    await stop();
    await rounds.ended();
  };
}
