// npm run verify -- db [--key KEY --checkpoint FILE]: every record of this registry's database against its log. Beside
// a running server too. With a checkpoint that somebody kept, the log must extend it.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { formatBase64 } from '#app/tlog/bytes.ts';
import { openCheckpoint } from '#app/tlog/checkpoint.ts';
import { parseVerifierKey } from '#app/tlog/signed-note.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { openRegistryAsItIs } from './open-registry.ts';

const EXIT_CODES = { proved: 0, tampered: 1, 'could-not-tell': 2 } as const;

try {
  const signed = await readSigned();
  const { db, close } = await openRegistryAsItIs(process.env);
  const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
  const { entries, records, root, findings } = await verifyDatabase(db, say, signed).finally(close);
  say(
    `${entries} entries and ${records} records verified, ${findings} ${findings === 1 ? 'finding' : 'findings'}. Root ${formatBase64(root)}.`,
  );
  process.exitCode = findings === 0 ? EXIT_CODES.proved : EXIT_CODES.tampered;
} catch (error) {
  process.stderr.write(`Could not tell: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = EXIT_CODES['could-not-tell'];
}

async function readSigned() {
  const { values } = parseArgs({ options: { key: { type: 'string' }, checkpoint: { type: 'string' } } });
  if (values.checkpoint === undefined) return undefined;
  if (values.key === undefined) throw new Error('--checkpoint needs --key, the log’s verifier key.');
  return openCheckpoint(await readFile(values.checkpoint), await parseVerifierKey(values.key));
}
