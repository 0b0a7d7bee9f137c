// npm run restore -- FILE [--check]: an archive of `npm run backup` into an empty registry, embedded or external. It is
// read whole before anything is touched; --check does only that. Ends with 1 when it was not restored, or when the
// checks that follow find something.
import { ArchiveError } from '#app/backup/archive.ts';
import { checkRestored } from '#app/backup/check-restored.server.ts';
import { type ExaminedArchive, examineArchive, planKeys } from '#app/backup/examine-archive.server.ts';
import { restoreRegistry } from '#app/backup/restore-registry.server.ts';
import { checkFiles } from '#app/files/check-files.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { latestNote, noteSize } from '#app/transparency-log/carry-note.server.ts';
import { logActivityHead } from '#app/transparency-log/log-activity-head.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { counted, summary } from './backup-words.ts';
import { type OpenRegistry, openRegistryAsItIs } from './open-registry.ts';
import { progressLine } from './progress-line.ts';
import { fail, readArguments } from './run-command.ts';

const USAGE = 'Usage: npm run restore -- FILE [--check]';

process.exitCode = await main();

async function main(): Promise<number> {
  const args = readArguments(USAGE, { check: { type: 'boolean' } });
  if (typeof args === 'string') return fail(args);
  const { file, values } = args;
  const line = progressLine(1);
  try {
    const config = readConfig(process.env);
    const archive = await examineArchive(file, (share) => line.show('Checking', share));
    line.print(summary(archive.manifest, archive.totals, archive.bytes));
    if (values.check === true) {
      for (const key of archive.misnamed) process.stdout.write(`altered: ${key}\n`);
      process.stdout.write('It is whole. Nothing was restored.\n');
      if (archive.misnamed.length > 0)
        return fail(`${counted(archive.misnamed.length, 'file')} in it: not the bytes that the name says. See above.`);
      return 0;
    }
    const keys = await planKeys(config, archive);
    const registry = await openRegistryAsItIs(process.env);
    try {
      await restoreRegistry({ ...registry, file, archive, keys, progress: line.show });
      line.end();
      process.stdout.write('Restored. Now it is checked; the server may be started meanwhile.\n');
      const wrong = await check(registry, archive);
      for (const remark of [...keys.remarks, ...(await aheadOf(registry, archive))])
        process.stdout.write(`${remark}\n`);
      return wrong === 0 ? 0 : fail(`Restored, with ${counted(wrong, 'finding')}: see above.`);
    } finally {
      await registry.close();
    }
  } catch (error) {
    line.end();
    if (error instanceof ArchiveError) return fail(`Not restored. ${error.message}`);
    return fail(explainStartError(error, 'Not restored'));
  }
}

async function check({ db, files }: OpenRegistry, { totals }: ExaminedArchive): Promise<number> {
  const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
  const own = await checkRestored(db, say);
  let wrong = 0;
  const checked = await checkFiles({ db, files }, ({ key, wrong: what, usedBy }) => {
    wrong += 1;
    say(`${what}: ${key}${usedBy.length === 0 ? '' : ` (of ${usedBy.join(', ')})`}`);
  });
  const before = totals.files.missing + totals.files.altered;
  say(
    `${counted(checked, 'file')} checked, ${wrong} missing or altered${before === 0 ? '' : ` (${before} when it was backed up)`}.`,
  );
  // The admins of a version that logged none enter the log with its first head, as they would when the server starts.
  const { headLogged } = await db.selectFrom('activityState').select('headLogged').executeTakeFirstOrThrow();
  if (headLogged === null) await logActivityHead(db);
  const { entries, records, findings } = await verifyDatabase(db, say);
  say(
    `${counted(entries, 'entry of the public log')} and ${counted(records, 'record')} verified, ${counted(findings, 'finding')}.`,
  );
  return own + wrong + findings;
}

// An older backup under a log that has signed more since.
async function aheadOf({ config }: OpenRegistry, { manifest }: ExaminedArchive): Promise<string[]> {
  const note = await latestNote(openLogFolder(config));
  if (note === undefined || noteSize(note) <= manifest.log.entries) return [];
  return [
    `The public log was signed up to ${noteSize(note)} entries and the archive has ${manifest.log.entries}: it will not be signed any more. See 'When it refuses' in docs/operations.md.`,
  ];
}
