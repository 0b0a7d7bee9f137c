// npm run bench:outbox: 10,000 random runs of two phones without reception against a running registry: no visit is lost or doubled,
// each comes to an end that is shown; or the first run where it is not so, as short as it could be made. SEED= repeats one (else a
// random one is printed), RUNS= how many, FROM= the first of them: with one seed, RUNS=5000 and RUNS=5000 FROM=5000 add up to it.
// With --browser the phones are pages of Chromium with the service worker and the page's own sender, 1,000 runs.
import { openBrowserPhones } from '#test/outbox/browser-phone.ts';
import { exploreOutbox, openOutboxGround } from '#test/outbox/explore.ts';

const inBrowser = process.argv.includes('--browser');
/** Each block has a seed of its own. */
const BLOCK = inBrowser ? 20 : 100;
const numberFrom = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const seed = numberFrom('SEED', Math.floor(Math.random() * 2 ** 30));
const runs = numberFrom('RUNS', inBrowser ? 1000 : 10_000);
const from = numberFrom('FROM', 0);
if (![seed, runs, from].every(Number.isSafeInteger) || runs % BLOCK !== 0 || from % BLOCK !== 0) {
  process.stderr.write(`SEED, RUNS and FROM are whole numbers, RUNS and FROM in steps of ${BLOCK}.\n`);
  process.exit(2);
}

const browser = inBrowser ? await openBrowserPhones() : undefined;
const ground = await openOutboxGround(browser?.open);
const started = performance.now();
let [done, wrong] = [0, ''];
process.stdout.write(`Runs ${from} to ${from + runs - 1} of SEED=${seed}.\n`);
for (let block = from / BLOCK; block < (from + runs) / BLOCK && wrong === ''; block += 1) {
  const found = await exploreOutbox(ground, { seed: seed + block, runs: BLOCK, onRun: () => (done += 1) });
  wrong = found.report ?? '';
  const rate = (done / (performance.now() - started)) * 1000;
  process.stdout.write(
    wrong === ''
      ? `${done} of ${runs}: none lost, none doubled, ${rate.toFixed(1)} a second\n`
      : `${wrong}\nAgain: SEED=${seed} FROM=${block * BLOCK} RUNS=${BLOCK}\n`,
  );
}
const ends = await ground.registry.db
  .selectFrom('calibrationSet')
  .select(({ fn }) => fn.countAll<number>().as('recorded'))
  .where('captureId', 'is not', null)
  .executeTakeFirstOrThrow();
process.stdout.write(`${ends.recorded} visits were recorded.\n`);
await browser?.stop();
await ground.stop();
process.exit(wrong === '' ? 0 : 1);
