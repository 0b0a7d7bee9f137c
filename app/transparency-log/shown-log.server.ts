// What every page that offers a check of the log says of the log itself.
import type { Config } from '#app/platform/process/config.server.ts';
import type { Shown } from '#app/tlog/check-shown.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { LOG_PREFIX } from './log-address.ts';
import { logKey } from './log-key.server.ts';
import { witnessPolicy } from './witness-policy.server.ts';

export async function shownLog(config: Config): Promise<Pick<Shown, 'key' | 'log' | 'zone' | 'isWitnessed'>> {
  return {
    key: formatVerifierKey((await logKey(config)).verifier),
    log: LOG_PREFIX,
    zone: config.timeZone,
    isWitnessed: (await witnessPolicy(config)) !== undefined,
  };
}
