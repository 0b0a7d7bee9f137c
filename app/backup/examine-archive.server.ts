// The first look at an archive, before anything is touched: is it whole, can this version restore it, and does what
// lies in the data folder already fit it.
import type { Config } from '#app/platform/process/config.server.ts';
import { findAuthSecret } from '#app/platform/process/keys.server.ts';
import { type BroughtNote, noteSize } from '#app/transparency-log/carry-note.server.ts';
import { findLogKey, verifierOf } from '#app/transparency-log/log-key.server.ts';
import { ArchiveError, type Part, type Secret } from './archive.ts';
import { compareMigrations } from './archived-migrations.server.ts';
import { damaged } from './check-parts.server.ts';
import { type ReadArchive, readArchive } from './read-archive.server.ts';

/** An archive that is whole, with its small parts. */
export type ExaminedArchive = ReadArchive & { secrets: Secret[]; highWater: BroughtNote | undefined };

/** Reads it whole. Throws ArchiveError with a sentence. `progress` gets the share that was read. */
export async function examineArchive(file: string, progress: (share: number) => void): Promise<ExaminedArchive> {
  const secrets: Secret[] = [];
  let highWater: BroughtNote | undefined;
  const read = await readArchive(file, {
    async take(part) {
      if (part.kind === 'secret') secrets.push(part);
      if (part.kind === 'high-water') highWater = broughtNote(part);
    },
    progress,
  });
  const { unknown } = await compareMigrations(read.manifest.migrations);
  if (unknown.length > 0)
    throw new ArchiveError(
      `The archive is of another version of the registry (${unknown.join(', ')}). Restore it with that version or a newer one.`,
    );
  return { ...read, secrets, highWater };
}

function broughtNote({ bytes, signedAt }: Extract<Part, { kind: 'high-water' }>): BroughtNote {
  const note = Uint8Array.from(bytes);
  try {
    noteSize(note);
  } catch {
    throw damaged('its last signed note is none');
  }
  if (Number.isNaN(signedAt.getTime())) throw damaged('its last signed note has no time');
  return { note, signedAt };
}

/** Which secrets go into the data folder, and the sentences for the operator. */
export type KeyPlan = { put: Secret[]; remarks: string[] };

/** Throws ArchiveError where the data folder or the environment has other keys than the archive. */
export async function planKeys(config: Config, { manifest, secrets }: ExaminedArchive): Promise<KeyPlan> {
  const remarks: string[] = [];
  const secretOf = (wanted: Secret['name']) => secrets.find(({ name }) => name === wanted);
  const logKey = secretOf('log-key');
  const authSecret = secretOf('auth-secret');
  const { verifierKey } = manifest.log;
  if (logKey !== undefined && (await verifierOf(logKey.text)) !== verifierKey)
    throw damaged('the log’s key in it is not the one that it names');
  const keyHere = await findLogKey(config);
  if (keyHere !== undefined && verifierKey !== null && keyHere.verifierKey !== verifierKey)
    throw new ArchiveError(
      `The data folder has the key of another log, ${keyHere.verifierKey}; the log of the archive is verified with ${verifierKey}. Restore into a data folder without a key, or with the same one.`,
    );
  const secretHere = await findAuthSecret(config);
  if (secretHere !== undefined && authSecret !== undefined && secretHere.trim() !== authSecret.text.trim())
    throw new ArchiveError(
      'The data folder has another AUTH_SECRET than the archive. Restore into a data folder without one, or with the same one.',
    );
  if (keyHere === undefined && logKey === undefined && verifierKey !== null)
    remarks.push(
      `The archive does not have the log’s signing key. Put it to ${config.logKeyFile ?? `${config.dataDir}/keys/log-key`} before the first start: with another one the log is not signed any more. It is verified with ${verifierKey}.`,
    );
  if (secretHere === undefined && authSecret === undefined)
    remarks.push('The archive does not have the AUTH_SECRET: without it second factors must be set up again.');
  const put = secrets.filter(({ name }) => (name === 'log-key' ? keyHere : secretHere) === undefined);
  return { put, remarks };
}
