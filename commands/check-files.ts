// npm run check-files: reads every stored file and compares it with its record. Beside a running server too. Exits with
// 1 when one is missing or altered.
import { checkFiles } from '#app/files/check-files.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { openRegistry } from './open-registry.ts';
import { fail } from './run-command.ts';

try {
  const { db, files, close } = await openRegistry(process.env);
  let wrong = 0;
  const checked = await checkFiles({ db, files }, ({ key, wrong: what, usedBy }) => {
    wrong += 1;
    process.stdout.write(`${what}: ${key}${usedBy.length === 0 ? '' : ` (of ${usedBy.join(', ')})`}\n`);
  }).finally(close);
  process.stdout.write(`${checked} files checked, ${wrong} missing or altered.\n`);
  process.exitCode = wrong === 0 ? 0 : 1;
} catch (error) {
  process.exitCode = fail(explainStartError(error, 'Not checked'));
}
