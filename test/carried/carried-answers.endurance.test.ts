// What a proof that is carried says without a network is what the page, the API and /check say at that moment, whatever
// happened to the truck. `TRUCKS=10000 npx vitest run --mode endurance test/carried` makes as many histories.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { todayIn } from '#app/platform/time/calendar.ts';
import { allAnswers } from '#app/check-list/check-list.server.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { readCarriedProof } from '#app/vehicles/carried-proof.ts';
import { judgementOf } from '#app/vehicle-page/vehicle-history.server.ts';
import { readVehiclePage } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { apiApp } from '#server/api.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { addWeighbridge, type Weighbridge } from '#test/withdrawals.ts';
import { randomFrom } from '#test/random.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { newKey } from '#test/small-log.ts';
import { carriedFiles } from './carried-file.ts';
import { happen, happenToAll, importTrucks, register, type People } from './random-trucks.ts';

const TRUCKS = Number(process.env['TRUCKS'] ?? 300);
const SEED = Number(process.env['SEED'] ?? 53);
const ROUNDS = 6;
// With more of them each connection would plan the large statements again.
const AT_ONCE = 4;
const DAYS_A_ROUND = 25;

let services: TestServices;
let people: People;
let bridge: Weighbridge;
let key: SigningKey;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  people = {
    tech: await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen'),
    admins: [
      await addSeen(services, 'admin', 'mia@registry.example', 'Mia'),
      await addSeen(services, 'admin', 'noor@registry.example', 'Noor'),
    ],
  };
  bridge = await addWeighbridge(services, people.admins[0], 'Example Creek');
  key = await newKey();
});
afterAll(() => services.stop());

async function atOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

test(
  `${TRUCKS} random histories: offline, page, API and /check say the same at each step`,
  { timeout: 3_600_000 },
  async () => {
    const random = randomFrom(SEED);
    const regos = Array.from({ length: TRUCKS }, (_, nth) => `R${String(nth).padStart(5, '0')}`);
    const ground = { services, people, bridge, random };
    // Each truck has its own, so that a seed gives it the same history however many there are.
    const grounds = new Map(regos.map((rego, nth) => [rego, { ...ground, random: randomFrom(SEED * 100_003 + nth) }]));
    const groundOf = (rego: string) => grounds.get(rego) ?? ground;
    const imported = regos.filter((_, nth) => nth % 4 === 0);
    await importTrucks(ground, imported);
    await atOnce(
      regos.filter((_, nth) => nth % 4 > 0),
      (rego) => register(groundOf(rego), rego),
    );
    const api = apiApp(services);
    const seen = new Map<string, number>();
    let withdrawn: string | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      services.setNow(new Date(services.now().getTime() + DAYS_A_ROUND * 86_400_000).toISOString());
      if (round > 0) await atOnce(regos, (rego) => happen(groundOf(rego), rego));
      if (round === 1) await importTrucks(ground, imported, 1);
      withdrawn = await happenToAll(ground, round, withdrawn);
      // As autovacuum does, which is off here: else each statement keeps the plan that it had when there was nothing.
      await sql`vacuum (analyze)`.execute(services.db);
      for (const word of await compareAll(regos, api)) seen.set(word, (seen.get(word) ?? 0) + 1);
    }
    // Of many trucks each verdict came about.
    expect(seen.size).toBeGreaterThanOrEqual(TRUCKS < 100 ? 2 : 5);
    expect(await differencesFromLog(services.db)).toEqual([]);
  },
);

async function compareAll(regos: readonly string[], api: ReturnType<typeof apiApp>): Promise<string[]> {
  const now = services.now();
  const zone = services.config.timeZone;
  const lines = regos.map((text, place) => ({ number: place + 1, text, isHeading: false }));
  const checked = await allAnswers(services.db, lines, todayIn(zone, now));
  const files = await carriedFiles(services.db, key);
  const words: string[] = [];
  await atOnce(checked, async (answer) => {
    const found = await readVehiclePage(services.db, answer.asked, 'newest');
    if (found.state !== 'live') return void expect([answer.asked, answer.kind]).toEqual([answer.asked, 'not-found']);
    const { records } = found;
    const { verdict } = judgementOf(records, zone, now);
    const carried = await readCarriedProof(nodeSha256, files.get(answer.asked) ?? new Uint8Array(), {
      key: key.verifier,
      policy: undefined,
      rego: answer.asked,
      now,
      zone,
    });
    const asked = await api.request(`/vehicles/${answer.asked}`);
    const said: unknown = await asked.json();
    expect({
      rego: answer.asked,
      carried: carried.judgement?.verdict,
      check: answer.kind === 'found' ? [answer.verdict, answer.matchesLog] : answer.kind,
      said,
      mismatches: records.mismatches,
    }).toMatchObject({
      carried: verdict,
      check: [verdict, true],
      said: { verdict, matches_log: true },
      mismatches: [],
    });
    words.push(verdict);
  });
  return words;
}
