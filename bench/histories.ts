// npm run bench:histories: 10,000 random histories of eight clients at once on a real PostgreSQL, each explained by some
// order of what was done, or the first that is not, as small as it could be made. SEED= repeats one (else a random one
// is printed), RUNS= how many, FROM= the first of them: with one seed, RUNS=5000 and RUNS=5000 FROM=5000 add up to it.
// With --forms the clients send the forms of a running registry, 500 histories.
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { startTestCluster } from '#test/cluster.ts';
import { createTestDatabaseOn } from '#test/database.ts';
import { explore, onFunctions, type Ground } from '#test/histories/explore.ts';
import { onForms } from '#test/histories/forms-ground.ts';
import { count, describeTally, type Tally } from '#test/histories/tally.ts';
import { createTestServicesOver } from '#test/services.ts';
import { startRegistry } from '#test/start-registry.ts';

/** Each block has a seed of its own, and over functions a database of its own. */
const BLOCK = 100;
const SHRINK_FOR_MS = 120_000;
const overForms = process.argv.includes('--forms');
const numberFrom = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const seed = numberFrom('SEED', Math.floor(Math.random() * 2 ** 30));
const runs = numberFrom('RUNS', overForms ? 500 : 10_000);
const from = numberFrom('FROM', 0);
if (![seed, runs, from].every(Number.isSafeInteger) || runs % BLOCK !== 0 || from % BLOCK !== 0) {
  process.stderr.write(`SEED, RUNS and FROM are whole numbers, RUNS and FROM in steps of ${BLOCK}.\n`);
  process.exit(2);
}

/** Where blocks run. `verified`: what there is to say of the whole database after a block. */
type Place = { ground: Ground; verified: () => Promise<string[]>; leave: () => Promise<void> };

async function functions(): Promise<{ enter: () => Promise<Place>; stop: () => Promise<void> }> {
  const cluster = await startTestCluster();
  const enter = async () => {
    const services = await createTestServicesOver(await createTestDatabaseOn(cluster.address), { RATE_LIMITS: 'off' });
    const verified = async () => {
      const findings: string[] = [];
      await verifyDatabase(services.db, (finding) => findings.push(finding));
      return findings;
    };
    return { ground: onFunctions(services), verified, leave: services.stop };
  };
  return { enter, stop: cluster.stop };
}

async function forms(): Promise<{ enter: () => Promise<Place>; stop: () => Promise<void> }> {
  const registry = await startRegistry();
  const ground = await onForms(registry);
  return { enter: async () => ({ ground, verified: async () => [], leave: async () => {} }), stop: registry.stop };
}

const { enter, stop } = await (overForms ? forms() : functions());
const started = performance.now();
const tally: Tally = new Map();
let [histories, operations, wrong] = [0, 0, ''];
process.stdout.write(`Histories ${from} to ${from + runs - 1} of SEED=${seed}.\n`);
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
  process.stdout.write(
    wrong === ''
      ? `${histories} of ${runs}: each explained, ${operations} operations, ${(histories / seconds).toFixed(1)} a second\n`
      : `${wrong}\nAgain: SEED=${seed} FROM=${block * BLOCK} RUNS=${BLOCK}\n`,
  );
}
process.stdout.write(`${describeTally(tally)}\n`);
await stop();
process.exit(wrong === '' ? 0 : 1);
