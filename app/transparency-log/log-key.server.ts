// The log's signing key: a file of LOG_KEY_FILE, or made at the first start in DATA_DIR/keys, for the owner only; never
// in the database. Its text holds the log's name, which is fixed with the key: a later PUBLIC_URL does not rename a
// log.
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import { oncePer } from '#app/platform/process/once-per.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import { syncFolder, writeOnce, writeWhole } from '#app/platform/process/whole-file.server.ts';
import { appendLeaves } from './append-leaves.server.ts';
import type { LeafEvent } from './draft-leaf.server.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { LOG_PREFIX } from './log-address.ts';
import { generateSigningKey, parseSigningKey, type SigningKey } from '#app/tlog/sign-note.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';

type KeySettings = Pick<Config, 'logKeyFile' | 'dataDir' | 'publicUrl'>;

/** The key, read once a process. Throws StartError with a sentence when it cannot be had. */
export const logKey: (config: KeySettings) => Promise<SigningKey> = oncePer(readOrMake);

/** The key where there is one, for a backup: its text, which is secret, and how it is verified. None is made. */
export async function findLogKey(settings: KeySettings): Promise<{ text: string; verifierKey: string } | undefined> {
  const file = fileOf(settings);
  const key = await readKey(file);
  if (key === undefined) return undefined;
  return { text: await readFile(file, 'utf8'), verifierKey: formatVerifierKey(key.verifier) };
}

/** How a log with the key of this text is verified; undefined where the text is no key. */
export async function verifierOf(text: string): Promise<string | undefined> {
  return parseSigningKey(text).then(
    ({ verifier }) => formatVerifierKey(verifier),
    () => undefined,
  );
}

/** Puts the text of a key where the next start finds it. */
export async function keepLogKey({ dataDir }: KeySettings, text: string): Promise<void> {
  await writeWhole(keptIn(dataDir), Buffer.from(text));
}

/** The name of a log whose key was made without PUBLIC_URL: a trial log, as nobody finds it by that name. */
export const TRIAL_NAME = `localhost${LOG_PREFIX}`;

/** Whether this is a trial log, or would be one if it began now. */
export async function isTrialLog(settings: KeySettings): Promise<boolean> {
  const key = await readKey(fileOf(settings));
  return (key?.verifier.name ?? logName(settings.publicUrl)) === TRIAL_NAME;
}

/** Makes a key under the name of `publicUrl`, beside the one in use until `useNextKey`. One that is there is taken. */
export async function makeNextKey({ dataDir }: KeySettings, publicUrl: URL): Promise<SigningKey> {
  const file = nextIn(dataDir);
  const there = await readKey(file);
  if (there?.verifier.name === logName(publicUrl)) return there;
  await writeWhole(file, Buffer.from(`${await generateSigningKey(logName(publicUrl))}\n`));
  const made = await readKey(file);
  if (made === undefined) throw new StartError(`${file} cannot be made. Check the owner of DATA_DIR.`);
  return made;
}

/** Puts it in the place of the one in use, which is gone then. */
export async function useNextKey({ dataDir }: KeySettings): Promise<void> {
  await rename(nextIn(dataDir), keptIn(dataDir));
  await syncFolder(path.dirname(keptIn(dataDir)));
}

const nextIn = (dataDir: string) => `${keptIn(dataDir)}.next`;
const fileOf = ({ logKeyFile, dataDir }: KeySettings) => logKeyFile ?? keptIn(dataDir);
const keptIn = (dataDir: string) => path.join(dataDir, 'keys', 'log-key');

async function readOrMake({ logKeyFile, dataDir, publicUrl }: KeySettings): Promise<SigningKey> {
  if (logKeyFile !== undefined) {
    const given = await readKey(logKeyFile, 'LOG_KEY_FILE');
    if (given === undefined) throw new StartError(`LOG_KEY_FILE names ${logKeyFile}, which is not there.`);
    return given;
  }
  const file = keptIn(dataDir);
  const kept = await readKey(file);
  if (kept !== undefined) return kept;
  // Durable before it signs anything: a log whose key a power cut took back could never be continued.
  await writeOnce(file, `${await generateSigningKey(logName(publicUrl))}\n`);
  const made = await readKey(file);
  if (made === undefined) throw new StartError(`${file} cannot be made. Check the owner of DATA_DIR.`);
  return made;
}

async function readKey(file: string, setting = 'The key of the log'): Promise<SigningKey | undefined> {
  const text = await unlessMissing(readFile(file, 'utf8')).catch((cause: unknown) => {
    throw new StartError(`${setting} cannot be read from ${file}. Check its owner.`, { cause });
  });
  if (text === undefined) return undefined;
  try {
    return await parseSigningKey(text);
  } catch {
    // Without the cause: no message may quote a key.
    throw new StartError(`${setting}: ${file} is not a signing key of a log (PRIVATE+KEY+name+hash+key).`);
  }
}

// The name is the log's address without its scheme, as c2sp.org/tlog-tiles recommends for origins.
const logName = (publicUrl: URL | undefined) =>
  publicUrl === undefined ? TRIAL_NAME : `${publicUrl.host}${LOG_PREFIX}`;

/** The leaf `log.key`, once a log: its first one where nothing was appended before. */
export async function announceKey(db: Db, config: KeySettings): Promise<void> {
  const { leafSize } = await db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  if (leafSize > 0) return;
  const key = await logKey(config);
  await db.transaction().execute(async (tx) => {
    const { leafSize } = await tx.selectFrom('activityState').select('leafSize').forUpdate().executeTakeFirstOrThrow();
    if (leafSize > 0) return;
    await appendLeaves(tx, [keyEvent(key)]);
  });
}

/** The log says by which key it is verified. */
export const keyEvent = ({ verifier }: SigningKey): LeafEvent => ({
  type: 'log.key',
  body: { key: formatVerifierKey(verifier) },
  records: [],
});

/** Whether the log was begun with this process's key. Nodes with different keys would be different logs. */
export async function isKeyOfLog(db: Db, config: KeySettings): Promise<boolean> {
  return isBegunWith(db, await logKey(config));
}

export async function isBegunWith(db: Db, { verifier }: SigningKey): Promise<boolean> {
  const first = await db.selectFrom('logLeaf').select('entry').where('index', '=', 0).executeTakeFirst();
  const leaf = first === undefined ? undefined : parseLeaf(utf8(first.entry));
  return leaf?.type !== 'log.key' || leaf.body['key'] === formatVerifierKey(verifier);
}
