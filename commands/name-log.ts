// PUBLIC_URL=https://registry.example npm run name-log: replaces a trial log by one under the real name, while nobody
// but an import has recorded anything. The server must be stopped.
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { storedPolicies } from '#app/policy/queries.server.ts';
import { policyEvent } from '#app/transparency-log/policy-events.server.ts';
import { replaceTrialLog } from '#app/transparency-log/replace-trial-log.server.ts';
import { openRegistry } from './open-registry.ts';
import { fail } from './run-command.ts';

try {
  const { db, config, close } = await openRegistry(process.env);
  const policies = (await storedPolicies(db)).map((policy) => policyEvent(policy));
  const { verifierKey, entries } = await replaceTrialLog({ db, config, policies, unitOf }).finally(close);
  process.stdout.write(
    `The public log is now verified with ${verifierKey}\nIts ${entries.toLocaleString('en-AU')} entries are signed when the server starts. Keep that key where others can find it.\n`,
  );
} catch (error) {
  process.exitCode = fail(explainStartError(error, 'Not replaced'));
}
