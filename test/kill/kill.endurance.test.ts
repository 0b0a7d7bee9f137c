// kill -9 under load: nothing that was acknowledged is lost, nothing is there by half, and what looks for that finds
// it.
import { randomInt } from 'node:crypto';
import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KilledRegistry } from './killed-registry.ts';
import { runRounds } from './run-rounds.ts';

const ROUNDS = 20;
const ROUNDS_WITHIN_MS = 15 * 60_000;

test(
  `${ROUNDS} kills of server, database and both: everything acknowledged is there, nothing else by half`,
  async () => {
    const seed = process.env['SEED'] ?? String(randomInt(1e9));
    const lines: string[] = [`seed ${seed}`];
    const totals = await runRounds(ROUNDS, seed, (line) => lines.push(line));
    expect(
      lines.filter((line) => line.startsWith('FOUND')),
      lines.join('\n'),
    ).toEqual([]);
    expect(totals).toMatchObject({ rounds: ROUNDS, findings: 0 });
    expect(totals.fewestAcknowledged).toBeGreaterThanOrEqual(20);
    process.stdout.write(`${lines[0]}, ${JSON.stringify(totals)}\n`);
  },
  ROUNDS_WITHIN_MS,
);

let killed: KilledRegistry;
beforeAll(async () => {
  ({ killed } = await KilledRegistry.open('planted faults'));
  // What a round does is drawn: until a calibration is among what was acknowledged.
  do {
    const { findings } = await killed.round('any');
    if (findings.length > 0) throw new Error(findings.join('\n'));
    // One to be taken away, and another to be doubled.
  } while (recorded().length < 2);
}, ROUNDS_WITHIN_MS);
afterAll(() => killed.close());

const recorded = () =>
  killed.ledger.writes.filter(({ kind, answer }) => kind === 'calibration recorded' && answer !== undefined);
/** What somebody with the database's password does, or a disk that forgets. */
const plant = (statement: ReturnType<typeof sql>) =>
  killed.registry.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    const { numAffectedRows } = await statement.execute(tx);
    expect(numAffectedRows).toBe(1n);
  });
const told = (kind: string, nth: number) => {
  const write = killed.ledger.writes.filter((write) => write.kind === kind && write.answer !== undefined).at(nth);
  if (write === undefined) throw new Error(`nobody did: ${kind}`);
  const [name = '', text = ''] = write.mark.split(' ');
  return { mark: write.mark, name, text };
};

test('an acknowledged record that is gone is found', async () => {
  const { mark, name, text } = told('calibration recorded', -1);
  await plant(sql`delete from calibration where rego = ${name} and value = ${text}`);
  expect(await killed.compare()).toContainEqual(
    `calibration recorded (${mark}): it was acknowledged, and it is there as record 0, entry 1, leaf 1, key 1.`,
  );
});

test('an entry of the activity log that is gone is found', async () => {
  const { mark, name } = told('vehicle registered', -1);
  await plant(sql`delete from activity_log where kind = 'vehicle.added'
    and subject_id = (select id::text from vehicle where rego = ${name})`);
  const findings = await killed.compare();
  expect(findings).toContainEqual(expect.stringContaining(`vehicle registered (${mark}): it was acknowledged`));
  expect(findings).toContainEqual(expect.stringMatching(/^The activity log counts \d+ entries, has \d+/));
});

test('a leaf that is gone is found', async () => {
  await plant(sql`delete from log_leaf where index = (select max(index) from log_leaf)`);
  expect(await killed.compare()).toContainEqual(
    expect.stringMatching(/^verify db: The log counts \d+ entries and has/),
  );
});

test('a stored file that is gone is found', async () => {
  const { storageKey } = await killed.registry.db
    .selectFrom('storedFile')
    .select('storageKey')
    .limit(1)
    .executeTakeFirstOrThrow();
  await rm(path.join(killed.registry.dataDir, 'files', storageKey));
  expect(await killed.compare()).toContainEqual(expect.stringMatching(/^file .* missing\.$/));
});

test('a write that took effect twice is found', async () => {
  const { mark, text } = told('calibration recorded', 0);
  await plant(sql`insert into calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at)
    select rego, id + 1, vehicle_id, axle, attribute, value, calibrated_at from calibration where value = ${text}`);
  expect(await killed.compare()).toContainEqual(
    expect.stringContaining(`calibration recorded (${mark}): it was acknowledged, and it is there as record 2`),
  );
});

test('a later write that was undone, and a count that is off, are found', async () => {
  const { name } = told('vehicle registered', 0);
  await plant(sql`update vehicle set notes = 'as it was before' where rego = ${name}`);
  await plant(sql`update vehicle_gram_count set n = n + 1 where gram = 'OLD'`);
  const findings = await killed.compare();
  expect(findings).toContainEqual(
    expect.stringMatching(new RegExp(`^vehicle ${name}: notes is as it was before, and was left as`)),
  );
  expect(findings).toContainEqual(expect.stringContaining('are counted with "OLD"'));
});

test('a second tree of one size that was signed is found', async () => {
  await appendFile(
    path.join(killed.registry.dataDir, 'log/checkpoint.left.part'),
    `localhost/log/1\n5\n${Buffer.alloc(32).toString('base64')}\n\n— localhost/log/1 c2lnbmVk\n`,
  );
  expect(await killed.compare()).toContainEqual(
    expect.stringMatching(/^A tree of 5 entries was signed with the root AAAA/),
  );
});

test(
  'a database that says done before it is on the disk loses what was acknowledged, and that is found',
  async () => {
    const { killed } = await KilledRegistry.open('forgetful', { wal_writer_delay: '10s' });
    try {
      // Each connection asks for a durable commit itself, so the server's own setting would not do.
      const { db } = killed.registry;
      await sql`create function forget() returns event_trigger language plpgsql as
        $$ begin perform set_config('synchronous_commit', 'off', false); end $$`.execute(db);
      await sql`create event trigger forgets on login execute function forget()`.execute(db);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(db);
      const { findings } = await killed.round('any', 'database');
      expect(findings).toContainEqual(
        expect.stringMatching(/: it was acknowledged, and it is there as (record|entry) 0/),
      );
    } finally {
      await killed.close();
    }
  },
  ROUNDS_WITHIN_MS,
);
