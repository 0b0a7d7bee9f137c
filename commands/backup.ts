// npm run backup -- FILE [--with-log-key] [--with-auth-secret]: everything in one archive, beside a running server too.
// Ends with 1 when it was not written, or when files were missing or altered before.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { backUpRegistry } from '#app/backup/back-up-registry.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { stopSignal } from '#app/platform/process/stop-signals.server.ts';
import product from '../package.json' with { type: 'json' };
import { openRegistryAsItIs } from './open-registry.ts';
import { progressLine } from './progress-line.ts';
import { counted, summary } from './backup-words.ts';

const USAGE = 'Usage: npm run backup -- FILE [--with-log-key] [--with-auth-secret]';

const stopping = stopSignal();
process.exitCode = await main();

async function main(): Promise<number> {
  const args = readArguments();
  if (typeof args === 'string') return fail(args);
  const line = progressLine(1);
  try {
    const { config, address, files, close } = await openRegistryAsItIs(process.env);
    const { manifest, totals, bytes } = await backUpRegistry({
      ...args,
      config,
      address,
      files,
      product: product.version,
      tell: line.print,
      progress: line.show,
      signal: stopping,
    }).finally(close);
    line.end();
    process.stdout.write(`${summary(manifest, totals, bytes)}\n`);
    const wrong = totals.files.missing + totals.files.altered;
    if (wrong === 0) return 0;
    return fail(
      `The archive is written, but ${counted(wrong, 'file')} missing or altered: see above, and npm run check-files.`,
    );
  } catch (error) {
    line.end();
    if (stopping.aborted) return fail('Stopped. Nothing was written.');
    return fail(explainStartError(error).replace(/^Not started/, 'Not backed up'));
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'with-log-key': { type: 'boolean' }, 'with-auth-secret': { type: 'boolean' } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return USAGE;
    return {
      file: path.resolve(file),
      withLogKey: values['with-log-key'] === true,
      withAuthSecret: values['with-auth-secret'] === true,
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${USAGE}`;
  }
}

function fail(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}
