// npm run bench -- kills: ROUNDS (100) of kill -9 of the registry under load, everything compared after each; then RUNS
// (1,000) random histories of eight clients at once on a real PostgreSQL, each explained by some order of what was
// done, or the first that is not, as small as it could be made. SEED= repeats them (else a random one is printed),
// RUNS=0 or ROUNDS=0 leaves one out, FROM= is the first history. With `forms` the clients of the histories send the
// forms of a running registry. Ends with 1 when something was found.
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { startTestCluster } from '#test/cluster.ts';
import { createTestDatabaseOn } from '#test/database.ts';
import { explore, onFunctions, type Ground } from '#test/histories/explore.ts';
import { onForms } from '#test/histories/forms-ground.ts';
import { count, describeTally, type Tally } from '#test/histories/tally.ts';
import { ROUNDS_A_REGISTRY, runRounds } from '#test/kill/run-rounds.ts';
import { createTestServicesOver } from '#test/services.ts';
import { startRegistry } from '#test/start-registry.ts';

/** Each block of histories has a seed of its own, and over functions a database of its own. */
const BLOCK = 100;
const SHRINK_FOR_MS = 120_000;
const numberFrom = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const seed = numberFrom('SEED', Math.floor(Math.random() * 2 ** 30));
const [rounds, runs, from] = [numberFrom('ROUNDS', 100), numberFrom('RUNS', 1000), numberFrom('FROM', 0)];
const say = (line: string) => void process.stdout.write(`${line}\n`);
if (![seed, rounds, runs, from].every(Number.isSafeInteger) || runs % BLOCK !== 0 || from % BLOCK !== 0) {
  process.stderr.write(`SEED, ROUNDS, RUNS and FROM are whole numbers, RUNS and FROM in steps of ${BLOCK}.\n`);
  process.exit(2);
}
say(`SEED=${seed}`);
const findings = await killInRounds();
process.exit((await exploreHistories(process.argv.includes('forms'))) && findings === 0 ? 0 : 1);

async function killInRounds(): Promise<number> {
  const sum = { kills: 0, acknowledged: 0, open: 0, findings: 0 };
  for (let done = 0; done < rounds; done += ROUNDS_A_REGISTRY) {
    const part = await runRounds(Math.min(ROUNDS_A_REGISTRY, rounds - done), `${seed}-${done}`, say);
    sum.kills += part.kills;
    sum.acknowledged += part.acknowledged;
    sum.open += part.open;
    sum.findings += part.findings;
  }
  say(
    `${rounds} rounds, ${sum.kills} kills, ${sum.acknowledged} acknowledged writes, ${sum.open} whose answer was lost; ${sum.findings} findings.`,
  );
  return sum.findings;
}

/** Where blocks of histories run. `verified`: what there is to say of the whole database after a block. */
type Place = { ground: Ground; verified: () => Promise<string[]>; leave: () => Promise<void> };
type Places = { enter: () => Promise<Place>; stop: () => Promise<void> };

async function functions(): Promise<Places> {
  const cluster = await startTestCluster();
  const enter = async () => {
    const services = await createTestServicesOver(await createTestDatabaseOn(cluster.address), { RATE_LIMITS: 'off' });
    const verified = async () => {
      const found: string[] = [];
      await verifyDatabase(services.db, (finding) => found.push(finding));
      return found;
    };
    return { ground: onFunctions(services), verified, leave: services.stop };
  };
  return { enter, stop: cluster.stop };
}

async function forms(): Promise<Places> {
  const registry = await startRegistry();
  const ground = await onForms(registry);
  return { enter: async () => ({ ground, verified: async () => [], leave: async () => {} }), stop: registry.stop };
}

/** Whether each was explained. */
async function exploreHistories(overForms: boolean): Promise<boolean> {
  if (runs === 0) return true;
  const { enter, stop } = await (overForms ? forms() : functions());
  const started = performance.now();
  const tally: Tally = new Map();
  let [histories, operations, wrong] = [0, 0, ''];
  for (let block = from / BLOCK; block < (from + runs) / BLOCK && wrong === ''; block += 1) {
    const { ground, verified, leave } = await enter();
    const found = await explore({
      ground,
      seed: seed + block,
      runs: BLOCK,
      shrinkForMs: SHRINK_FOR_MS,
      onHistory: (calls) => {
        histories += 1;
        operations += calls.length;
        count(tally, calls);
      },
    });
    wrong = found?.report ?? (await verified()).join('\n');
    await leave();
    const seconds = (performance.now() - started) / 1000;
    const explained = `${histories} of ${runs}: each explained, ${operations} operations, ${(histories / seconds).toFixed(1)} a second`;
    say(wrong === '' ? explained : `${wrong}\nAgain: SEED=${seed} ROUNDS=0 FROM=${block * BLOCK} RUNS=${BLOCK}`);
  }
  say(describeTally(tally));
  await stop();
  return wrong === '';
}
