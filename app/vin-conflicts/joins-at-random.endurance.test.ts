// Joins, their undoing and what the trade does between them, at random and at one time, on four records with one VIN:
// the log and the records agree, nothing is lost, no single admin makes a verdict better by a join, and a backup holds
// it. `SEED=… HISTORIES=1 npx vitest run --mode endurance app/vin-conflicts`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { backUp, findingsOf, restoreAnew } from '#test/backups.ts';
import { decideLastJoin, join, part } from '#test/joins.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { replateTo } from '#test/plates.ts';
import { randomFrom } from '#test/random.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { publicVerdict, recordHonestSet } from '#test/visits.ts';
import { WORST_FIRST } from '#app/combination/combination.ts';

const SEED = Number(process.env['SEED'] ?? 20);
const HISTORIES = Number(process.env['HISTORIES'] ?? 10);
const STEPS = 30;
const REGOS = ['RANDOM1', 'RANDOM2', 'RANDOM3', 'RANDOM4'];
const DAY_MS = 86_400_000;

async function live(services: TestServices): Promise<string[]> {
  const rows = await services.db
    .selectFrom('vehicle')
    .select('rego')
    .where('deletedAt', 'is', null)
    .orderBy('rego')
    .execute();
  return rows.map(({ rego }) => rego);
}

/** The verdict of each live record, as a number and its due day. */
async function verdicts(services: TestServices): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const rego of await live(services)) {
    const { verdict, dueOn } = await publicVerdict(services, rego);
    found.set(rego, `${WORST_FIRST.findIndex(({ word }) => word === verdict)} ${dueOn ?? '9999'}`);
  }
  return found;
}

async function run(seed: number, done: Map<string, number>): Promise<void> {
  const random = randomFrom(seed * 100_003);
  const services = await createTestServices({ RATE_LIMITS: 'off' });
  const [mia, ruth] = [
    await addSeen(services, 'admin', 'mia@registry.example', 'Mia'),
    await addSeen(services, 'admin', 'ruth@registry.example', 'Ruth'),
  ];
  const tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo');
  let clock = Date.parse('2026-01-10T01:00:00Z');
  const pick = <T>(of: readonly T[]): T | undefined => of[random(Math.max(1, of.length))];
  services.setNow(new Date(clock).toISOString());
  for (const rego of REGOS) {
    const input = vehicleInput({ rego, vin: '6T9RANDOM00001', axle_groups: 'STEER', calibration_validated: 'yes' });
    await registerVehicle(services, mia, { input, choice: NO_FILES, key: undefined });
  }
  // A record that was closed meanwhile is not there. Nothing else may fail.
  const gone = (error: unknown) => {
    if (!String(error).includes('is not there')) throw error;
  };
  const acts: Record<string, () => Promise<unknown>> = {
    join: async () =>
      join(services, mia, { rego: pick(await live(services)) ?? '', kept: pick(await live(services)) ?? '' }),
    confirm: () => decideLastJoin(services, ruth, 'confirm'),
    decline: () => decideLastJoin(services, ruth, 'decline'),
    'confirm alone': () => decideLastJoin(services, mia, 'confirm'),
    part: () => part(services, pick([mia, ruth]) ?? mia),
    record: async () => recordHonestSet(services, tech, pick(REGOS) ?? ''),
    replate: async () => replateTo(services, mia, pick(await live(services)) ?? '', { text: `NEW${random(1e6)}` }),
    remove: async () => (random(4) === 0 ? removeVehicle(services.db, mia, { rego: pick(REGOS) ?? '' }) : undefined),
    expire: () => closeExpired(services.db, { now: services.now(), zone: services.config.timeZone }),
  };
  const often = [...Object.keys(acts), 'join', 'confirm', 'confirm', 'record'];
  for (let step = 0; step < STEPS; step += 1) {
    clock += random(20) * DAY_MS;
    services.setNow(new Date(clock).toISOString());
    const before = await verdicts(services);
    const first = pick(often) ?? 'join';
    const second = random(3) === 0 ? pick(often) : undefined;
    const both = [first, ...(second === undefined ? [] : [second])];
    const answers = await Promise.allSettled(both.map(async (act) => acts[act]?.().catch(gone)));
    for (const [nth, act] of both.entries()) {
      const answer = answers[nth];
      expect([act, answer?.status, answer]).toMatchObject([act, 'fulfilled', {}]);
      const isDone =
        answer?.status === 'fulfilled' && /"(?:joined|parted|decided)":true/.test(JSON.stringify(answer.value) ?? '');
      if (isDone) done.set(act, (done.get(act) ?? 0) + 1);
    }
    // A join by one admin makes no verdict better, nor does its undoing but back to what it was.
    if (second === undefined && (first === 'join' || first === 'confirm alone'))
      for (const [rego, after] of await verdicts(services))
        expect([rego, after <= (before.get(rego) ?? '')]).toEqual([rego, true]);
    expect(await differencesFromLog(services.db), `SEED=${seed} step ${step}: ${both.join(', ')}`).toEqual([]);
  }
  // Each row belongs to the record that its own was joined with, and to one that is not closed.
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from calibration c
    join vehicle v on v.id = c.vehicle_id where v.joined_into is not null
      or joined_truck(coalesce(c.from_vehicle, c.vehicle_id)) <> c.vehicle_id`.execute(services.db);
  expect(rows).toEqual([{ n: 0 }]);
  // Every address leads to one record, or to one that was removed.
  for (const rego of await live(services)) expect((await findVehicle(services.db, rego)).state).toBe('live');
  const folder = await mkdtemp(path.join(tmpdir(), 'joins-'));
  await backUp(services, path.join(folder, 'backup.tar'));
  const restored = await restoreAnew(path.join(folder, 'backup.tar'));
  expect((await findingsOf(restored)).filter((sentence) => !sentence.startsWith('technician '))).toEqual([]);
  await restored.drop();
  await rm(folder, { recursive: true });
  await services.stop();
}

test(`${HISTORIES} histories of joins from seed ${SEED} on`, { timeout: 3_600_000 }, async () => {
  const done = new Map<string, number>();
  for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) await run(seed, done);
  // They did happen: else nothing would be shown.
  if (HISTORIES > 5) expect([...done.keys()]).toEqual(expect.arrayContaining(['join', 'confirm', 'part']));
});
