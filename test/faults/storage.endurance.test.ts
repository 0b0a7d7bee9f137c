// The whole server on S3-compatible storage, with a proxy that goes wrong between them: what needs the storage answers
// 503 and keeps what was typed, everything else goes on, and a file is read whole or not at all.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFaultProxy, type Fault, type FaultProxy } from '#test/fault-proxy.ts';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { post, readingOf, signedInAdmin, type Sender } from './registry.ts';

const LONG = { timeout: 60_000, interval: 200 };
const FILE_BYTES = 3 * 1024 * 1024;

describe.runIf(hasS3())('storage that goes wrong', () => {
  let s3: S3Server;
  let proxy: FaultProxy;
  let registry: StartedRegistry;
  let admin: Sender;
  let certificate: string;
  let count = 0;
  beforeAll(async () => {
    s3 = await startS3();
    proxy = await startFaultProxy({ port: Number(new URL(s3.endpoint).port) });
    registry = await startRegistry({ LOG_LEVEL: 'silent', ...s3.env, S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` });
    admin = await signedInAdmin(registry);
    expect((await addVehicle('STORE1')).status).toBe(303);
    const { fileId } = await registry.db
      .selectFrom('vehicleFile')
      .innerJoin('vehicle', 'vehicle.id', 'vehicleId')
      .select('fileId')
      .where('rego', '=', 'STORE1')
      .executeTakeFirstOrThrow();
    certificate = `/files/${fileId}`;
  }, 120_000);
  afterAll(async () => {
    await proxy.set({ kind: 'none' });
    await registry.stop();
    await proxy.close();
    await s3.stop();
  });

  const get = (path: string) => fetch(`${registry.url}${path}`);
  // Different bytes each time: the same are stored once.
  const pdf = () => {
    count += 1;
    return new File([`%PDF-1.7\n${String(count).padEnd(FILE_BYTES, '0')}\n%%EOF\n`], 'certificate.pdf');
  };
  const formWith = (file: File) => {
    const form = new FormData();
    form.set('certificate_file', file);
    return form;
  };
  const upload = (file: File) => post(registry, '/uploads', formWith(file), admin.cookie);
  const addVehicle = (rego: string) => {
    const form = formWith(pdf());
    form.set('rego', rego);
    form.set('notes', 'typed with care');
    return post(registry, '/vehicles/new', form, admin.cookie);
  };
  const isPublished = async () => {
    const { leafSize } = await registry.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
    return Number((await (await get('/log/1/checkpoint')).text()).split('\n')[1]) === leafSize;
  };

  test.each([
    ['refuse', 0],
    ['reset', 1],
    ['silence', 2],
  ] as const)(
    '%s',
    async (kind, nth) => {
      const rego = `STORE${kind.slice(0, 3).toUpperCase()}`;
      await proxy.set({ kind });
      const file = pdf();
      const [uploaded, added, read, vehicle, written, ready] = await Promise.all([
        upload(file),
        addVehicle(rego),
        get(certificate),
        get('/vehicles/view/STORE1'),
        admin.send('/vehicles/view/STORE1', readingOf('STORE1', '100', nth)),
        get('/readyz'),
      ]);
      for (const answer of [uploaded, added, read])
        expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true]);
      expect(await added.text()).toContain('typed with care');
      expect([vehicle.status, written.status, ready.status]).toEqual([200, 303, 200]);

      await proxy.set({ kind: 'none' });
      await expect.poll(async () => (await upload(file)).status, LONG).toBe(201);
      expect((await addVehicle(rego)).status).toBe(303);
      expect((await (await get(certificate)).bytes()).length).toBeGreaterThan(FILE_BYTES);
      await expect.poll(isPublished, LONG).toBe(true);
    },
    120_000,
  );

  test('slow storage is storage', async () => {
    await proxy.set({ kind: 'slow', latencyMs: 200, bytesPerSecond: 4_000_000 });
    expect((await upload(pdf())).status).toBe(201);
    expect((await (await get(certificate)).bytes()).length).toBeGreaterThan(FILE_BYTES);
    await proxy.set({ kind: 'none' });
  }, 120_000);

  test('the log is published also where each file takes seconds', async () => {
    await expect.poll(isPublished, LONG).toBe(true);
    await proxy.set({ kind: 'slow', latencyMs: 2000 });
    await admin.send('/vehicles/view/STORE1', readingOf('STORE1', '300', 3));
    await expect.poll(isPublished, LONG).toBe(true);
    await proxy.set({ kind: 'none' });
  }, 120_000);

  test.each([{ kind: 'cut', afterBytes: 1_000_000 } satisfies Fault])(
    'an answer that is cut in the middle is not taken for a whole file: %s',
    async (fault) => {
      await proxy.set(fault);
      const answer = await get(certificate);
      await expect(answer.bytes()).rejects.toThrow();
      await proxy.set({ kind: 'none' });
      expect((await (await get(certificate)).bytes()).length).toBeGreaterThan(FILE_BYTES);
    },
  );

  test('nor is one that stalls there waited for for ever', async () => {
    // Else all of it is on its way already.
    await proxy.set({ kind: 'slow', latencyMs: 0, bytesPerSecond: 500_000 });
    const answer = await get(certificate);
    const reader = answer.body?.getReader();
    await reader?.read();
    await proxy.set({ kind: 'silence' });
    await expect(
      (async () => {
        for (let step = await reader?.read(); step?.done === false; step = await reader?.read());
      })(),
    ).rejects.toThrow();
    await proxy.set({ kind: 'none' });
    expect((await get(certificate)).status).toBe(200);
  }, 120_000);
});
