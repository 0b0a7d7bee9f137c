// npm run bench:open-recall: public pages are open in a browser while a weighbridge with 20,000 of 400,000 visits is
// withdrawn in a running registry. Prints, for each page, how long after its block was committed it said so. PAGES= how many
// are open, spread over all blocks. Ends with 1 when one took over a second.
import { chromium } from '@playwright/test';
import type { SignedIn } from '#app/access/session.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/recalls/decide-withdrawal.server.ts';
import { addPerson } from '#test/people.ts';
import { startRegistry } from '#test/start-registry.ts';
import { fillWeighbridges, standAsTheyShould, WEIGHED_IN } from '#test/weighed-trucks.ts';

const VEHICLES = 100_000;
const VISITS_EACH = 4;
const PAGES = Number(process.env['PAGES'] ?? 12);
const WITHIN_MS = 1000;
const LOOK_EVERY_MS = 5;

const registry = await startRegistry();
const { db } = registry;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
try {
  const [proposer, confirmer] = [await admin('mia@bench.example'), await admin('ann@bench.example')];
  const reference = await fillWeighbridges(db, proposer.personId, { vehicles: VEHICLES, visitsEach: VISITS_EACH });
  const reached = await db
    .selectFrom('visit')
    .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
    .select(['visit.id', 'vehicle.rego'])
    .where('referenceId', '=', reference)
    .where('visitedOn', '>=', WEIGHED_IN.fromOn)
    .where('visitedOn', '<=', WEIGHED_IN.toOn)
    .orderBy('visitedOn')
    .orderBy('visit.id')
    .execute();
  const watched = Array.from(
    { length: PAGES },
    (_, n) => reached[Math.floor(((n + 0.5) * reached.length) / PAGES)],
  ).filter((visit) => visit !== undefined);
  const path = process.env['CHROMIUM'];
  const browser = await chromium.launch({
    ...(path === undefined ? {} : { executablePath: path }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const pages = await Promise.all(
    watched.map(async ({ rego }) => {
      const page = await (await browser.newContext({ baseURL: registry.url })).newPage();
      await page.goto(`/vehicles/view/${rego}`, { waitUntil: 'networkidle' });
      return { page, isShown: page.evaluate(untilWithdrawn) };
    }),
  );

  const why = { ...WEIGHED_IN, reason: 'out of tolerance', note: '' } as const;
  const services = { db, now: () => new Date() };
  const proposed = await proposeWithdrawal(services, proposer, reference, why, undefined);
  if (!proposed.proposed) throw new Error(proposed.reason);
  const begun = performance.now();
  await decideWithdrawal(services, confirmer, proposed.id, 'confirm', undefined);
  const committed = new Map<string, number>();
  while (committed.size < watched.length) {
    const held = await db
      .selectFrom('visit')
      .select('id')
      .where(
        'id',
        'in',
        watched.map(({ id }) => id),
      )
      .where('beforeRecall', 'is not', null)
      .execute();
    for (const { id } of held) if (!committed.has(id)) committed.set(id, Date.now());
    await pause(LOOK_EVERY_MS);
  }
  const waits: number[] = [];
  for (const [n, { isShown }] of pages.entries())
    waits.push((await isShown) - (committed.get(watched[n]?.id ?? '') ?? 0));
  await browser.close();
  while ((await standAsTheyShould(db, reference, 'waits')).missing > 0) await pause(50);
  const seconds = (performance.now() - begun) / 1000;
  const slowest = Math.max(...waits);
  process.stdout.write(
    `${reached.length} of ${VEHICLES * VISITS_EACH} visits held back within ${seconds.toFixed(1)} s of the confirmation\n` +
      `${PAGES} open pages said so after ${waits.join(', ')} ms; the slowest ${slowest} ms\n`,
  );
  process.exitCode = slowest <= WITHIN_MS ? 0 : 1;
} finally {
  await registry.stop();
}

/** Runs in the page. The moment, in ms since 1970, at which it names the withdrawal. */
function untilWithdrawn(): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.body.innerText.includes('was withdrawn')) resolve(Date.now());
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
    look();
  });
}

async function admin(email: string): Promise<SignedIn> {
  const { personId, recordId } = await addPerson(db, 'admin', email);
  const session = { sessionId: '', mustChangePassword: false, hasSecondFactor: false };
  return { ...session, personId, recordId, role: 'admin', name: email, email };
}
