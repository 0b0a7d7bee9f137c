// A registry that is written to, backed up and restored, on a real database.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { calibrationSchema } from '#app/recording/calibration-entry.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { findLogKey, logKey } from '#app/transparency-log/log-key.server.ts';
import { publishLog } from '#app/transparency-log/publish.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { migrate } from '#database/migrate.ts';
import { backUp, findingsOf, restoreAnew, restoreInto, sumsOf } from '#test/backups.ts';
import { createEmptyDatabase } from '#test/database.ts';
import { enterLeaves } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { examineArchive, planKeys } from './examine-archive.server.ts';
import { restoreRegistry } from './restore-registry.server.ts';
import { openEmptyTarget } from './restore-target.server.ts';

const WRITERS = 8;
const TODAY = '2026-11-21';
let services: TestServices;
let who: SignedIn;
let folder: string;
let count = 0;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  await logKey(services.config);
  who = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  await enterLeaves(services.db);
  folder = await mkdtemp(path.join(tmpdir(), 'backups-'));
  for (let nth = 0; nth < 3; nth += 1) await write();
});
afterAll(async () => {
  await services.stop();
  await rm(folder, { recursive: true });
});

const archive = (name: string) => path.join(folder, `${name}.tar`);

/** A vehicle with an image and a reading. Returns its rego. */
async function write(): Promise<string> {
  count += 1;
  const rego = `BACK${count}`;
  const bytes = await sharp({
    create: { width: 9, height: 9, channels: 3, background: { r: count % 256, g: 7, b: 1 } },
  })
    .png()
    .toBuffer();
  const upload = await addTemporaryUpload(services, who.personId, {
    role: 'image',
    upload: { name: `${rego}.png`, bytes },
  });
  if (!upload.added) throw new Error(upload.reason);
  const input = vehicleInput({ rego, vin: `VIN${count}`, notes: 'a\tb\\c\n"d" \u2028 é 🚚' });
  const answer = await registerVehicle(services, who, {
    input,
    choice: { ...NO_FILES, newImages: [upload.id] },
    key: undefined,
  });
  if (!answer.registered) throw new Error(answer.reason);
  const entry = calibrationSchema(TODAY).parse({ axle: 'drive', attribute: 'Loaded Weight', value: '15640.50' });
  const recorded = await recordCalibration(services.db, who, {
    rego,
    input: entry,
    now: new Date(),
    zone: 'Australia/Sydney',
    key: undefined,
  });
  if (!recorded.recorded) throw new Error('not recorded');
  return rego;
}

test('while eight write: as of one moment, with every file, and nothing that was acknowledged before is missing', async () => {
  let writing = true;
  const acknowledged: string[] = [];
  const writers = Array.from({ length: WRITERS }, async () => {
    while (writing) acknowledged.push(await write());
  });
  while (acknowledged.length < WRITERS) await new Promise((resolve) => setTimeout(resolve, 20));
  const before = [...acknowledged];
  const { manifest, totals } = await backUp(services, archive('load'));
  writing = false;
  await Promise.all(writers);
  const { leafSize } = await services.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  expect(leafSize).toBeGreaterThan(manifest.log.entries);
  expect(totals.rows['log_leaf']).toBe(manifest.log.entries);

  const restored = await restoreAnew(archive('load'));
  expect(await findingsOf(restored)).toEqual([]);
  const regos = (await restored.db.selectFrom('vehicle').select('rego').execute()).map(({ rego }) => rego);
  expect(before.filter((rego) => !regos.includes(rego))).toEqual([]);
  expect(regos.length).toBe(totals.rows['vehicle']);
  const withoutFile = await restored.db
    .selectFrom('vehicle')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('vehicleFile').select('vehicleFile.id').whereRef('vehicleId', '=', 'vehicle.id'))),
    )
    .select('rego')
    .execute();
  expect(withoutFile).toEqual([]);
  await restored.drop();
}, 120_000);

test('restored and backed up again: the same rows, files and sequences, byte for byte; and it goes on from there', async () => {
  const first = await backUp(services, archive('first'));
  const restored = await restoreAnew(archive('first'));
  const second = await backUp(restored, archive('second'));
  expect(second.totals).toEqual(first.totals);
  expect(second.manifest.tables).toEqual(first.manifest.tables);
  for (const prefix of ['tables/', 'files/']) {
    const sums = await sumsOf(archive('first'), prefix);
    expect(sums.length).toBeGreaterThan(5);
    expect(await sumsOf(archive('second'), prefix)).toEqual(sums);
  }
  // The totals of every search, counted again.
  const { rows: wrong } = await sql`select gram from (
      select gram, n from (select gram, vehicle_gram_total(gram) as n from vehicle_gram_count union
        select gram, vehicle_gram_total(gram) from (select vehicle_grams(rego, vin) as gram from vehicle_text_change) t
      ) kept where n <> 0
    ) kept full join (
      select g as gram, count(*) as n from vehicle v, vehicle_grams(v.rego, v.vin) g where v.deleted_at is null group by g
    ) counted using (gram) where kept.n is distinct from counted.n`.execute(restored.db);
  expect(wrong).toEqual([]);

  await restored.db
    .transaction()
    .execute((tx) => appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null, details: 'x' }]));
  const { personId } = who;
  const actor = restored.db.insertInto('actor').values({ personId, name: 'New' }).returning('id');
  const { id } = await actor.executeTakeFirstOrThrow();
  const { last } = await services.db
    .selectFrom('actor')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  expect(id).toBe(last + 1);
  await restored.drop();
});

test('what refuses in a registry refuses in a restored one', async () => {
  await backUp(services, archive('refuses'));
  const { db, drop } = await restoreAnew(archive('refuses'));
  await expect(sql`insert into vehicle (rego) values ('NOLEAF')`.execute(db)).rejects.toThrow('has no leaf');
  await expect(sql`update activity_log set kind = 'a.b'`.execute(db)).rejects.toThrow('never changed');
  await expect(sql`delete from log_leaf`.execute(db)).rejects.toThrow('never changed');
  await expect(sql`truncate calibration`.execute(db)).rejects.toThrow();
  await drop();
});

test('nothing that had ended is alive: no session, no one-time link', async () => {
  const { db } = services;
  const { personId } = who;
  await db
    .insertInto('resetToken')
    .values({ personId, tokenHash: 'x', expiresAt: new Date(Date.now() + 1e6) })
    .execute();
  expect(await db.selectFrom('session').select('id').execute()).not.toEqual([]);
  await backUp(services, archive('ended'));
  const restored = await restoreAnew(archive('ended'));
  for (const table of ['session', 'resetToken', 'setupLink', 'verification', 'rateLimit'] as const)
    expect(await restored.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  // The account is there, with its password.
  const account = restored.db.selectFrom('account').select('password').where('userId', '=', personId);
  expect((await account.executeTakeFirst())?.password).toMatch(/^\$argon2id\$/);
  await restored.drop();
});

test('the key of the log only when it was asked for; the last signed note always, unless a later one is here', async () => {
  const { db, config } = services;
  const key = await logKey(config);
  const publish = async () => publishLog({ db, folder: openLogFolder(config), key });
  const { size } = await publish();
  await backUp(services, archive('without'));
  await write();
  const { size: later } = await publish();
  await backUp(services, archive('with'), { withLogKey: true });

  const without = await restoreAnew(archive('without'));
  expect(await findLogKey(without.config)).toBeUndefined();
  expect((await openLogFolder(without.config).readHighWater(key.verifier))?.head.size).toBe(size);
  await without.drop();

  // On a new machine the log goes on where it was.
  const restored = await restoreAnew(archive('with'));
  expect(await findLogKey(restored.config)).toEqual(await findLogKey(config));
  const theirs = {
    db: restored.db,
    folder: openLogFolder(restored.config),
    key: await logKey(restored.config),
  };
  expect(await publishLog(theirs)).toEqual({ outcome: 'published', size: later });
  expect(await theirs.folder.readPublished('checkpoint')).toEqual(
    await openLogFolder(config).readPublished('checkpoint'),
  );

  // An older archive beside a log that has signed more: the note stays, and nothing is signed.
  const empty = await createEmptyDatabase();
  await restoreInto({ config: restored.config, address: empty.address, files: restored.files }, archive('without'));
  expect((await theirs.folder.readHighWater(key.verifier))?.head.size).toBe(later);
  await expect(publishLog({ ...theirs, db: empty.db })).rejects.toThrow('restored from an older backup');
  await empty.drop();

  // Beside the key of another log nothing is restored.
  const other = await createTestServices();
  await logKey(other.config);
  const target = await createEmptyDatabase();
  await expect(restoreInto({ ...other, address: target.address }, archive('with'))).rejects.toThrow(
    'The data folder has the key of another log',
  );
  await other.stop();
  await target.drop();
  await restored.drop();
});

test('into a database that is empty and nobody uses, and into no other', async () => {
  await backUp(services, archive('target'));
  await expect(restoreInto(services, archive('target'))).rejects.toThrow(
    /Others are connected to this database \(.*truck-scale-registry.*\)\. Stop every server/,
  );
  const empty = await createEmptyDatabase();
  // A server that starts while a restore runs waits for it.
  const restoring = await openEmptyTarget(empty.address, 0);
  let isStarted = false;
  const starting = migrate(empty.address).then(() => (isStarted = true));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(isStarted).toBe(false);
  await restoring.end();
  await starting;
  await expect(restoreInto({ ...services, address: empty.address }, archive('target'))).rejects.toThrow('is not empty');
  await empty.drop();
});

test('not beside somebody else', async () => {
  const empty = await createEmptyDatabase();
  const user = new pg.Client({ ...empty.address, application_name: 'somebody' });
  await user.connect();
  await expect(openEmptyTarget(empty.address, 0)).rejects.toThrow('Others are connected to this database (somebody)');
  await user.query('select pg_advisory_lock(7246531)');
  await expect(openEmptyTarget(empty.address, 0)).rejects.toThrow('another command is starting');
  await user.query('create table something (id int)');
  await user.end();
  await expect(openEmptyTarget(empty.address)).rejects.toThrow('is not empty');
  await empty.drop();
}, 60_000);

test('one that breaks off in the middle leaves an empty database, into which it is restored again', async () => {
  await backUp(services, archive('broken'));
  const empty = await createEmptyDatabase();
  const target = { ...services, address: empty.address };
  const examined = await examineArchive(archive('broken'), () => {});
  const keys = await planKeys(services.config, examined);
  const progress = (step: string, share: number) => {
    if (step === 'Records' && share === 1) throw new Error('broken off');
  };
  await expect(
    restoreRegistry({ ...target, file: archive('broken'), archive: examined, keys, progress }),
  ).rejects.toThrow('broken off');
  await restoreInto(target, archive('broken'));
  expect(await findingsOf({ ...services, db: empty.db })).toEqual([]);
  await empty.drop();
});

test('a file that the store does not have is named, and the rest is backed up', async () => {
  const rego = await write();
  const { storageKey, id } = await services.db
    .selectFrom('storedFile')
    .select(['storageKey', 'id'])
    .where('storageKey', 'like', `vehicles/${rego}/%`)
    .executeTakeFirstOrThrow();
  await services.files.remove(storageKey);
  const told: string[] = [];
  const { totals } = await backUp(services, archive('missing'), { report: (sentence) => told.push(sentence) });
  expect(told).toEqual([`missing: ${storageKey}`]);
  expect(totals.files.missing).toBe(1);
  const restored = await restoreAnew(archive('missing'));
  expect(await findingsOf(restored)).toEqual([`missing: ${storageKey}`]);
  await restored.drop();
  await services.db.deleteFrom('vehicleFile').where('fileId', '=', id).execute();
  await services.db.deleteFrom('storedFile').where('id', '=', id).execute();
});

test('where it cannot be written, or there is nothing to back up, nothing is left', async () => {
  await writeFile(archive('there'), 'mine');
  await expect(backUp(services, archive('there'))).rejects.toThrow('already exists');
  await expect(backUp(services, path.join(folder, 'absent', 'x.tar'))).rejects.toThrow('There is no folder');
  const empty = await createEmptyDatabase();
  await expect(backUp({ ...services, address: empty.address }, archive('none'))).rejects.toThrow('no registry');
  await empty.drop();
  const stopping = new AbortController();
  stopping.abort();
  await expect(backUp(services, archive('none'), { signal: stopping.signal })).rejects.toThrow('abort');
  expect((await readdir(folder)).filter((name) => name.startsWith('none') || name.includes('.part'))).toEqual([]);
});
