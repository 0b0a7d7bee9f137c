// Whose cosignatures the registry asks for, and publishes: the file WITNESS_POLICY_FILE (c2sp.org/tlog-policy). Without
// it no witness is asked, and none is wanted.
import { readFile } from 'node:fs/promises';
import type { Config } from '#app/platform/process/config.server.ts';
import { oncePer } from '#app/platform/process/once-per.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { parseWitnessPolicy, type WitnessPolicy } from '#app/tlog/witness-policy.ts';
import { LOG_PREFIX } from './log-address.ts';
import { logKey } from './log-key.server.ts';

/** `text`: as it is published, with the log in it. */
export type RegistryPolicy = { policy: WitnessPolicy; text: string };
type PolicySettings = Pick<Config, 'witnessPolicyFile' | 'logKeyFile' | 'dataDir' | 'publicUrl'>;

/** Read once a process. Throws StartError with a sentence when it cannot be used. */
export const witnessPolicy: (config: PolicySettings) => Promise<RegistryPolicy | undefined> = oncePer(readPolicy);

/** What the registry publishes of its log: its key, its witnesses and their quorum. Without witnesses none. */
export async function publishedPolicy(config: PolicySettings): Promise<string> {
  const registry = await witnessPolicy(config);
  return registry?.text ?? `${await logLine(config)}quorum none\n`;
}

async function logLine(config: PolicySettings): Promise<string> {
  const address = config.publicUrl === undefined ? '' : ` ${config.publicUrl.origin}${LOG_PREFIX}`;
  return `log ${formatVerifierKey((await logKey(config)).verifier)}${address}\n`;
}

async function readPolicy(config: PolicySettings): Promise<RegistryPolicy | undefined> {
  const file = config.witnessPolicyFile;
  if (file === undefined) return undefined;
  const given = await readFile(file).catch((cause: unknown) => {
    throw new StartError(`WITNESS_POLICY_FILE names ${file}, which cannot be read.`, { cause });
  });
  const policy = await parseWitnessPolicy(given).catch((error: unknown) => {
    throw new StartError(`WITNESS_POLICY_FILE: ${file}: ${error instanceof Error ? error.message : String(error)}.`);
  });
  const ours = formatVerifierKey((await logKey(config)).verifier);
  if (policy.logs.some(({ key }) => formatVerifierKey(key) !== ours))
    throw new StartError(`WITNESS_POLICY_FILE: ${file} names another log than this one, which is ${ours}.`);
  const silent = policy.witnesses.find(({ url }) => url === undefined || !isWebAddress(url));
  if (silent !== undefined)
    throw new StartError(`WITNESS_POLICY_FILE: ${file} gives no http address at which ${silent.name} is asked.`);
  const log = policy.logs.length > 0 ? '' : await logLine(config);
  return { policy, text: `${log}${new TextDecoder().decode(given)}` };
}

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
