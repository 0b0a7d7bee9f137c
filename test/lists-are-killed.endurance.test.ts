// Lists that are followed, whose process is killed again and again while it looks and sends: each mail comes once.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#app/platform/time/calendar.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { confirmFollowing } from '#app/following/keep-following.server.ts';
import { addFollower } from './followers.ts';
import { createTestServices, type TestServices } from './services.ts';
import { enterLeaves } from './leaves.ts';

const LISTS = 24;
// DAYS=50 makes 200 kills, and takes five minutes and more.
const DAYS = Number(process.env['DAYS'] ?? 12);
const KILLS_A_DAY = 4;
/** A mail that a killed process had taken is sent after its lease. */
const MINUTES_APART = 3;
const FIRST_DAY = '2026-11-22';

let services: TestServices;
let outbox: string;
let dataDir: string;
beforeAll(async () => {
  services = await createTestServices();
  services.setNow('2026-11-21T01:00:00Z');
  dataDir = await mkdtemp(path.join(tmpdir(), 'registry-lists-'));
  outbox = path.join(dataDir, 'outbox');
});
afterAll(async () => {
  await services.stop();
  await rm(dataDir, { recursive: true });
});

// Truck n is on list n alone.
const regoOf = (n: number) => `LST${n}`;
async function turn(n: number): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const { id, rego, ...state } = await tx
      .updateTable('vehicle')
      .set((eb) => ({ calibrationValidated: eb.not('calibrationValidated') }))
      .where('rego', '=', regoOf(n))
      .returning(['id', 'rego', 'calibrationValidated', 'nextCalibrationDueOn'])
      .executeTakeFirstOrThrow();
    await appendLeaves(tx, [vehicleEvent('vehicle.updated', { id, rego }, { ...state })]);
  });
}

/** Runs it at `minute` past seven of `day` in Sydney. `killAfter`: ms after it began. True: it was killed. */
async function run(day: string, minute: number, killAfter?: number): Promise<boolean> {
  const at = new Date(Date.parse(`${addDays(day, -1)}T20:00:00Z`) + minute * 60_000).toISOString();
  const child = fork(new URL('lists-process.ts', import.meta.url), [JSON.stringify(services.address), dataDir, at], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('its output is not read');
  await once(child.stdout, 'data');
  if (killAfter !== undefined) {
    await pause(killAfter);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exited;
  if (signal === null && code !== 0) throw new Error(`the process ended with ${String(code)}`);
  return signal === 'SIGKILL';
}

test('killed four times a day: no mail comes twice, and none is missed', async () => {
  const { db } = services;
  await db
    .insertInto('vehicle')
    .values(
      Array.from({ length: LISTS }, (_, n) => ({
        rego: regoOf(n),
        calibrationValidated: true,
        restsOn: 'visit' as const,
        lastCalibratedAt: new Date('2026-11-01T01:00:00Z'),
      })),
    )
    .execute();
  await enterLeaves(db);
  for (let n = 0; n < LISTS; n += 1) {
    const list = { email: `fleet${n}@lists.example`, list: regoOf(n) };
    const { token } = await addFollower(db, list, services.now());
    expect(await confirmFollowing(services, token)).toBe(true);
  }

  const due = new Map<string, number>();
  let kills = 0;
  for (let nth = 0; nth < DAYS; nth += 1) {
    const day = addDays(FIRST_DAY, nth);
    for (let n = 0; n < LISTS; n += 1) {
      if ((n + nth) % 3 === 0) continue;
      await turn(n);
      const key = `fleet${n}@lists.example ${day}`;
      due.set(key, 1);
    }
    let minute = 0;
    for (let kill = 0; kill < KILLS_A_DAY; kill += 1, minute += MINUTES_APART)
      if (await run(day, minute, (kill * 97 + nth * 13) % 160)) kills += 1;
    await run(day, minute);
  }
  expect(kills).toBeGreaterThan((DAYS * KILLS_A_DAY * 9) / 10);
  expect(await sent()).toEqual(due);
}, 900_000);

/** How often each mail is there, by its recipient and its day. */
async function sent(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const file of await readdir(outbox)) {
    if (file.startsWith('.')) continue;
    const text = (await readFile(path.join(outbox, file), 'utf8')).replaceAll(/=\n/g, '').replaceAll(/\s+/g, ' ');
    const to = /\bTo: <?([^\s>]+)/.exec(text)?.[1] ?? '';
    const day = /as at (\d+ \w+ \d{4})/.exec(text)?.[1] ?? '';
    const key = `${to} ${new Date(`${day} UTC`).toISOString().slice(0, 10)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
