// npm run import -- FILE.json [--files DIR] [--dry-run] [--trial]
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { importExport } from '#app/import/import-export.server.ts';
import { ExportError, readExport } from '#app/import/read-export.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { isTrialLog } from '#app/transparency-log/log-key.server.ts';
import { type OpenRegistry, openRegistry } from './open-registry.ts';
import { progressLine } from './progress-line.ts';
import { openReportFile } from './report-file.ts';
import { fail, readArguments } from './run-command.ts';

const USAGE = 'Usage: npm run import -- FILE.json [--files DIR] [--dry-run] [--trial]';
const NAME_FIRST = `Which address will people use? The public log is named after it, and its name never changes.
  PUBLIC_URL=https://registry.example npm run import -- FILE.json
To try the import out, add --trial: the log can be named later, until somebody has recorded something.`;
const NAME_NOW = `The public log here is a trial log. Give it its real name first, with the server stopped: npm run name-log
To import into the trial log, add --trial.`;
const RUN_AGAIN = 'What was committed stays; run it again to complete it.';

process.exitCode = await main();

async function main(): Promise<number> {
  const args = readArguments(USAGE, {
    files: { type: 'string' },
    'dry-run': { type: 'boolean' },
    trial: { type: 'boolean' },
  });
  if (typeof args === 'string') return fail(args);
  const { file, values } = args;
  const folder = values.files === undefined ? undefined : path.resolve(values.files);
  const dryRun = values['dry-run'] === true;
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (folder !== undefined && (await stat(folder).catch(() => undefined))?.isDirectory() !== true)
    return fail(`There is no folder ${folder}.`);
  const registry = await open(file, values.trial === true ? 'any log' : 'named log').catch((error: unknown) =>
    error instanceof ExportError ? error.message : explainStartError(error, 'Not imported'),
  );
  if (typeof registry === 'string') return fail(registry);
  const progress = progressLine(size);
  const lines = openReportFile(registry.config.dataDir);
  try {
    const report = await importExport({
      db: registry.db,
      files: registry.files,
      file,
      bucket: folder === undefined ? undefined : { folder },
      timeZone: registry.config.timeZone,
      dryRun,
      now: () => new Date(),
      print: lines.add,
      progress: progress.show,
      signal: registry.stopping,
    });
    progress.end();
    const summary = [...(dryRun ? ['Dry run: nothing was imported.'] : []), ...report.totals(), ...report.sorts()];
    const whole = lines.file();
    if (whole !== undefined) summary.push(`Each of them is named in ${whole}`);
    process.stdout.write(`${summary.join('\n')}\n`);
    return 0;
  } catch (error) {
    progress.end();
    if (error instanceof ExportError) return fail(error.message);
    if (registry.stopping.aborted) return fail(`The import was stopped. ${RUN_AGAIN}`);
    return fail(`The import stopped: ${error instanceof Error ? error.message : String(error)}. ${RUN_AGAIN}`);
  } finally {
    await registry.close();
  }
}

async function open(file: string, into: 'any log' | 'named log'): Promise<OpenRegistry | string> {
  // No database is started, and no folder made, for a file that is missing or no export from its first record on.
  await readFirst(file);
  const config = readConfig(process.env);
  // What is imported can never leave the log, so this is the last moment to name it.
  if (into === 'named log' && (await isTrialLog(config))) return config.publicUrl === undefined ? NAME_FIRST : NAME_NOW;
  return openRegistry(process.env);
}

async function readFirst(file: string): Promise<void> {
  const records = readExport(file);
  try {
    await records.next();
  } finally {
    await records.return(undefined);
  }
}
