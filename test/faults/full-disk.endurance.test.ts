// Disks that run full, and one that turns read-only, under a running server: of the files, of the public log, of the
// embedded PostgreSQL. What is freed is used again without a restart.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { canMount, mountSmallDisk, type SmallDisk } from '#test/small-disk.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { post, readingOf, signedInAdmin } from './registry.ts';

const LONG = { timeout: 60_000, interval: 200 };
const onSmallDisk = test.runIf(canMount());

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** A registry whose `folder` below DATA_DIR is a disk of its own. */
async function withSmall(folder: string): Promise<{ registry: StartedRegistry; disk: SmallDisk }> {
  const disks: SmallDisk[] = [];
  const registry = await startRegistry(async ({ dataDir }) => {
    disks.push(await mountSmallDisk(path.join(dataDir, folder), 8));
    return { LOG_LEVEL: 'silent' };
  });
  undo.push(() => registry.stop());
  const [disk] = disks;
  if (disk === undefined) throw new Error('no disk was mounted');
  undo.push(() => disk.unmount());
  return { registry, disk };
}

const image = () =>
  sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer();
const formWith = (field: string, bytes: Uint8Array<ArrayBuffer>) => {
  const form = new FormData();
  form.set(field, new File([bytes], 'scale.jpg'));
  return form;
};
const isTold = async (answer: Response, words: string) =>
  expect([answer.status, answer.headers.has('retry-after'), (await answer.text()).includes(words)]).toEqual([
    503,
    true,
    true,
  ]);

onSmallDisk.each(['full', 'read-only'] as const)(
  'the disk of the files is %s',
  async (state) => {
    const { registry, disk } = await withSmall('files');
    const { cookie, send } = await signedInAdmin(registry);
    await registry.db.insertInto('vehicle').values({ rego: 'FULL01' }).execute();
    const bytes = Uint8Array.from(await image());
    const upload = (file = bytes) => post(registry, '/uploads', formWith('image_file', file), cookie);
    expect((await upload()).status).toBe(201);

    await (state === 'full' ? disk.fill() : disk.setWritable(false));
    const other = Uint8Array.from(await image());
    await isTold(await upload(other), 'registry-unavailable');
    const form = formWith('image_file', other);
    form.set('rego', 'FULL02');
    form.set('notes', 'typed with care');
    const page = await post(registry, '/vehicles/new', form, cookie);
    await isTold(page, 'typed with care');
    expect(await registry.db.selectFrom('vehicle').select('rego').where('rego', '=', 'FULL02').execute()).toEqual([]);
    // Nothing half is left, records go on being written, and the node stays in use.
    const left = await readdir(path.join(registry.dataDir, 'files'), { recursive: true });
    expect(left.filter((name) => name.endsWith('.part'))).toEqual([]);
    expect((await send('/vehicles/view/FULL01', readingOf('FULL01', '100'))).status).toBe(303);
    expect((await fetch(`${registry.url}/readyz`)).status).toBe(200);

    await (state === 'full' ? disk.empty() : disk.setWritable(true));
    expect((await upload(other)).status).toBe(201);
    expect((await post(registry, '/vehicles/new', form, cookie)).status).toBe(303);
    expect(
      await registry.db
        .selectFrom('vehicleFile')
        .innerJoin('vehicle', 'vehicle.id', 'vehicleId')
        .select('role')
        .where('rego', '=', 'FULL02')
        .execute(),
    ).toEqual([{ role: 'image' }]);
  },
  120_000,
);

onSmallDisk(
  'the disk of the public log is full: what is signed stays, and the rest follows when there is room',
  async () => {
    const { registry, disk } = await withSmall('log');
    const { send } = await signedInAdmin(registry);
    await registry.db.insertInto('vehicle').values({ rego: 'FULL03' }).execute();
    const signedSize = async () => {
      const note = await fetch(`${registry.url}/log/1/checkpoint`);
      return note.ok ? Number((await note.text()).split('\n')[1]) : 0;
    };
    const size = async () =>
      (await registry.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow()).leafSize;
    await expect.poll(async () => (await signedSize()) === (await size()), LONG).toBe(true);
    const before = await signedSize();

    await disk.fill();
    expect((await send('/vehicles/view/FULL03', readingOf('FULL03', '100'))).status).toBe(303);
    // It is tried at least once.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(await signedSize()).toBe(before);
    const left = await readdir(path.join(registry.dataDir, 'log'), { recursive: true });
    expect(left.filter((name) => name.endsWith('.part') || name === 'refused')).toEqual([]);
    expect((await fetch(`${registry.url}/log`)).status).toBe(200);

    await disk.empty();
    await expect.poll(signedSize, LONG).toBe(before + 1);
  },
  120_000,
);

onSmallDisk(
  'the disk of the embedded PostgreSQL is full, until it gives up and comes back',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'registry-full-'));
    const disk = await mountSmallDisk(folder, 300);
    undo.push(async () => {
      disk.unmount();
      await rm(folder, { recursive: true, force: true });
    });
    const registry = await startRegistry({ LOG_LEVEL: 'silent' }, folder);
    undo.push(() => registry.stop());
    const { send } = await signedInAdmin(registry);
    const trucks = Array.from({ length: 500 }, (_, nth) => ({ rego: `FULL04T${nth}` }));
    await registry.db.insertInto('vehicle').values(trucks).execute();
    const acknowledged: string[] = [];
    let value = 0;
    const write = async () => {
      value += 1;
      const { rego } = trucks[value] ?? { rego: '' };
      const { status } = await send(`/vehicles/view/${rego}`, readingOf(rego, String(value)));
      if (status === 303) acknowledged.push(String(value));
      else expect(status).toBe(503);
      return status;
    };
    await write();

    await disk.fill();
    // Each switch takes another file of its log, until there is none left: then it stops at once.
    const logFile = () => readFile(path.join(registry.dataDir, 'postgres/postgres.log'), 'utf8');
    await expect
      .poll(async () => {
        await sql`select pg_switch_wal()`.execute(registry.db).catch(() => {});
        return write();
      }, LONG)
      .toBe(503);
    await expect.poll(async () => (await fetch(`${registry.url}/readyz`)).status, LONG).toBe(503);
    expect(await logFile()).toContain('No space left on device');
    expect((await fetch(`${registry.url}/healthz`)).status).toBe(200);

    await disk.empty();
    await expect.poll(async () => (await fetch(`${registry.url}/readyz`)).status, LONG).toBe(200);
    await expect.poll(write, LONG).toBe(303);
    const kept = await registry.db
      .selectFrom('calibration')
      .select('value')
      .where('rego', 'like', 'FULL04T%')
      .execute();
    expect(kept.map((reading) => reading.value).toSorted()).toEqual(expect.arrayContaining(acknowledged.toSorted()));
  },
  180_000,
);
