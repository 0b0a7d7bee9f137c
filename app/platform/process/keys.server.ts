// The process's own secret: given from outside (AUTH_SECRET, needed when there are several nodes), or made at the first
// start and kept in DATA_DIR/keys, readable by the owner only.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.server.ts';
import { unlessMissing } from './missing-file.server.ts';
import { StartError } from './start-error.ts';
import { writeOnce, writeWhole } from './whole-file.server.ts';

const SECRET_BYTES = 48;

/** AUTH_SECRET, else the one in `DATA_DIR/keys/auth-secret`, made when missing. Two first starts agree on one. */
export async function readAuthSecret({ authSecret, dataDir }: Config): Promise<string> {
  if (authSecret !== undefined) return authSecret;
  const file = keptIn(dataDir);
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  await writeOnce(file, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
  const made = await readSecret(file);
  if (made === undefined) throw new StartError(`${file} cannot be created. Check the owner of DATA_DIR.`);
  return made;
}

/** The same, where there is one. None is made. */
export async function findAuthSecret({ authSecret, dataDir }: Config): Promise<string | undefined> {
  return authSecret ?? readSecret(keptIn(dataDir));
}

/** Puts a secret where the next start finds it. */
export async function keepAuthSecret({ dataDir }: Config, secret: string): Promise<void> {
  await writeWhole(keptIn(dataDir), Buffer.from(`${secret}\n`));
}

const keptIn = (dataDir: string) => path.join(dataDir, 'keys', 'auth-secret');

async function readSecret(file: string): Promise<string | undefined> {
  const text = await unlessMissing(readFile(file, 'utf8')).catch(() => {
    throw new StartError(`${file} cannot be read. Check its owner, or give AUTH_SECRET.`);
  });
  if (text === undefined) return undefined;
  const secret = text.trim();
  if (secret.length < 32) throw new StartError(`${file} is damaged: it must hold at least 32 characters.`);
  return secret;
}
