// What waits, told by a process that is killed again and again while items arise: each item comes to each admin in
// exactly one mail.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { choose } from '#app/digest/choose-told.server.ts';
import { addPerson } from './people.ts';
import { createTestServices, type TestServices } from './services.ts';

// ROUNDS=55 makes 200 kills and more, and takes ten minutes and more.
const ROUNDS = Number(process.env['ROUNDS'] ?? 12);
const KILLS_A_ROUND = 4;
/** Longer than a bundle, and than the lease of a mail that a killed process had taken. */
const MINUTES_APART = 11;
const DAY_MINUTES = 24 * 60;
const NOON = Date.parse('2026-11-22T01:00:00Z');
const KILLED_WITHIN_MS = 220;

let services: TestServices;
let dataDir: string;
let minute = 0;
let items = 0;
beforeAll(async () => {
  services = await createTestServices();
  dataDir = await mkdtemp(path.join(tmpdir(), 'registry-digests-'));
});
afterAll(async () => {
  await services.stop();
  await rm(dataDir, { recursive: true });
});

const nameOf = (item: number) => `item${item}@arises.example`;
/** An application, which waits for every admin. */
const arise = () =>
  services.db
    .insertInto('application')
    .values({ email: nameOf((items += 1)), companyName: 'Northside' })
    .execute();

/** One more look. `killAfter`: ms after it began. `during`: what happens meanwhile. True: it was killed. */
async function run({ killAfter, during }: { killAfter?: number; during?: () => Promise<unknown> } = {}) {
  const at = new Date(NOON + (minute += MINUTES_APART) * 60_000).toISOString();
  const child = fork(new URL('digests-process.ts', import.meta.url), [JSON.stringify(services.address), dataDir, at], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('its output is not read');
  await once(child.stdout, 'data');
  const happening = during?.();
  if (killAfter !== undefined) {
    await pause(killAfter);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exited;
  await happening;
  if (signal === null && code !== 0) throw new Error(`the process ended with ${String(code)}`);
  return signal === 'SIGKILL';
}

test('killed at any moment while items arise: none is told twice, and none is missed', async () => {
  const paces = { 'once@registry.example': 'once', 'six@registry.example': 'six' } as const;
  for (const [email, pace] of Object.entries(paces)) {
    const { personId } = await addPerson(services.db, 'admin', email, { password: null });
    await choose(services.db, personId, { applications: pace });
  }
  let kills = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let kill = 0; kill < KILLS_A_ROUND; kill += 1) {
      await arise();
      if (await run({ killAfter: (kill * 97 + round * 29) % KILLED_WITHIN_MS, during: arise })) kills += 1;
    }
    // Fewer than a mail has lines of a topic arise in a day.
    minute += DAY_MINUTES;
    await run();
  }
  minute += DAY_MINUTES;
  for (let last = 0; last < 2; last += 1) await run();
  expect(kills).toBeGreaterThan((ROUNDS * KILLS_A_ROUND * 9) / 10);
  const each = Object.keys(paces).flatMap((to) =>
    Array.from({ length: items }, (_, at) => [`${to} ${nameOf(at + 1)}`, 1] as const),
  );
  expect(await told(Object.keys(paces))).toEqual(new Map(each));
}, 1_800_000);

/** In how many mails each item is, by recipient. */
async function told(admins: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const outbox = path.join(dataDir, 'outbox');
  for (const file of await readdir(outbox)) {
    if (file.startsWith('.')) continue;
    const text = (await readFile(path.join(outbox, file), 'utf8')).replaceAll(/=\n/g, '').replaceAll(/\s+/g, ' ');
    const to = admins.find((email) => new RegExp(`\\bTo: <?${email}`).test(text)) ?? '';
    for (const item of new Set(text.match(/item\d+@arises\.example(?= asks)/g)))
      counts.set(`${to} ${item}`, (counts.get(`${to} ${item}`) ?? 0) + 1);
  }
  return counts;
}
