// npm run backup -- FILE [--with-log-key] [--with-auth-secret]: everything in one archive, beside a running server too.
// Ends with 1 when it was not written, or when files were missing or altered before.
import { backUpRegistry } from '#app/backup/back-up-registry.server.ts';
import { noteBackup } from '#app/backup/last-backup.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { stopSignal } from '#app/platform/process/stop-signals.server.ts';
import product from '../package.json' with { type: 'json' };
import { openRegistryAsItIs } from './open-registry.ts';
import { progressLine } from './progress-line.ts';
import { counted, summary } from './backup-words.ts';
import { fail, readArguments } from './run-command.ts';

const USAGE = 'Usage: npm run backup -- FILE [--with-log-key] [--with-auth-secret]';

const stopping = stopSignal();
process.exitCode = await main();

async function main(): Promise<number> {
  const args = readArguments(USAGE, { 'with-log-key': { type: 'boolean' }, 'with-auth-secret': { type: 'boolean' } });
  if (typeof args === 'string') return fail(args);
  const line = progressLine(1);
  try {
    const { config, address, files, close } = await openRegistryAsItIs(process.env);
    const { manifest, totals, bytes } = await backUpRegistry({
      file: args.file,
      withLogKey: args.values['with-log-key'] === true,
      withAuthSecret: args.values['with-auth-secret'] === true,
      config,
      address,
      files,
      product: product.version,
      report: line.print,
      progress: line.show,
      signal: stopping,
    }).finally(close);
    line.end();
    process.stdout.write(`${summary(manifest, totals, bytes)}\n`);
    await noteBackup(config.dataDir, { at: manifest.createdAt, file: args.file, bytes }).catch(() =>
      process.stderr.write('Its time could not be noted in DATA_DIR: npm run doctor does not know of it.\n'),
    );
    const wrong = totals.files.missing + totals.files.altered;
    if (wrong === 0) return 0;
    return fail(
      `The archive is written, but ${counted(wrong, 'file')} missing or altered: see above, and npm run check-files.`,
    );
  } catch (error) {
    line.end();
    if (stopping.aborted) return fail('Stopped. Nothing was written.');
    return fail(explainStartError(error, 'Not backed up'));
  }
}
