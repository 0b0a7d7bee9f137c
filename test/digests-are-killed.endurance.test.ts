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

// ROUNDS=60 makes 200 kills and more, and takes half an hour and more.
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

const queued = async () => (await services.db.selectFrom('mail').select('id').execute()).length;
/** Every other kill comes as soon as a mail is queued: between its commit and its way out. */
async function momentOf(kill: number, round: number): Promise<void> {
  if (kill % 2 === 0) return pause((kill * 97 + round * 29) % KILLED_WITHIN_MS);
  while ((await queued()) === 0) await pause(2);
  return pause((round * 7) % 30);
}

/** One more look. `kill`: when it is killed. `during`: what happens meanwhile. True: it was killed. */
async function run({ kill, during }: { kill?: () => Promise<void>; during?: () => Promise<unknown> } = {}) {
  const at = new Date(NOON + (minute += MINUTES_APART) * 60_000).toISOString();
  const child = fork(new URL('digests-process.ts', import.meta.url), [JSON.stringify(services.address), dataDir, at], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('its output is not read');
  await once(child.stdout, 'data');
  const happening = during?.();
  if (kill !== undefined) {
    // What ends by itself is not killed.
    await Promise.race([kill(), exited]);
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
  let onTheirWay = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each day from noon on: six has passed, and fewer items than a mail has lines arise until the next.
    minute = round * DAY_MINUTES;
    for (let kill = 0; kill < KILLS_A_ROUND; kill += 1) {
      await arise();
      if (!(await run({ kill: () => momentOf(kill, round), during: arise }))) continue;
      kills += 1;
      if ((await queued()) > 0) onTheirWay += 1;
    }
    await run();
  }
  minute = ROUNDS * DAY_MINUTES;
  for (let last = 0; last < 2; last += 1) await run();
  expect(kills).toBeGreaterThan((ROUNDS * KILLS_A_ROUND * 5) / 6);
  // Some mails were queued when their process died, and at some kills none was.
  expect(onTheirWay).toBeGreaterThan(kills / 5);
  expect(onTheirWay).toBeLessThan(kills);
  const each = Object.keys(paces).flatMap((to) =>
    Array.from({ length: items }, (_, at) => [`${to} ${nameOf(at + 1)}`, 1] as const),
  );
  expect(await told(Object.keys(paces))).toEqual(new Map(each));
}, 5_400_000);

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
