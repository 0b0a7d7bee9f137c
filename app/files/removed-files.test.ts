// What a file's address answers after its vehicle is removed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { addPerson, signedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { createApp } from '#server/app.ts';
import { storeUpload } from './store-upload.server.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
let services: TestServices;
let ask: (path: string, cookie?: string) => Promise<Response>;
const cookies = { admin: '', technician: '', unready: '' };
beforeAll(async () => {
  services = await createTestServices();
  const app = createApp(services);
  ask = async (path, cookie = '') =>
    app.request(path, { headers: { cookie, host: 'localhost' } }, { incoming: { socket: { remoteAddress: '::1' } } });
  for (const role of ['admin', 'technician'] as const) {
    await addPerson(services.db, role, `${role}@registry.example`);
    cookies[role] = (await signedIn(services, `${role}@registry.example`)).cookie;
  }
  await addPerson(services.db, 'admin', 'unready@registry.example', { mustChange: true });
  cookies.unready = (await signedIn(services, 'unready@registry.example')).cookie;
});
afterAll(() => services.stop());

const addVehicle = async (rego: string) =>
  services.db.insertInto('vehicle').values({ rego }).returning('id').executeTakeFirstOrThrow();
async function certificateOf(vehicleId: string, rego: string): Promise<string> {
  const stored = await storeUpload(services.db, services.files, {
    role: 'certificate',
    prefix: `certificates/${rego}`,
    bytes: PDF,
  });
  if (!stored.stored) throw new Error(stored.reason);
  await services.db
    .insertInto('vehicleFile')
    .values({ vehicleId, role: 'certificate', fileId: stored.fileId, uploadedName: 'c.pdf' })
    .execute();
  return stored.fileId;
}
const remove = (id: string, deletedAt: Date | null) =>
  services.db.updateTable('vehicle').set({ deletedAt }).where('id', '=', id).execute();

test('a removed vehicle’s files are for admins alone, until it is restored', async () => {
  const { id } = await addVehicle('FILES1');
  const file = await certificateOf(id, 'FILES1');
  const paths = [`/files/${file}`, `/files/${file}/thumbnail`];
  for (const path of paths) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  }
  await remove(id, new Date());
  for (const path of paths) {
    for (const cookie of ['', cookies.technician, cookies.unready]) {
      const answer = await ask(path, cookie);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([410, 'no-store']);
      expect(await answer.json()).toMatchObject({ code: 'vehicle-removed' });
    }
    const forAdmin = await ask(path, cookies.admin);
    expect([forAdmin.status, forAdmin.headers.get('cache-control')]).toEqual([200, 'no-store']);
  }
  await remove(id, null);
  for (const path of paths) expect((await ask(path)).status).toBe(200);
});

test('a file that the next vehicle under the rego has too stays public', async () => {
  const first = await addVehicle('FILES2');
  const file = await certificateOf(first.id, 'FILES2');
  await remove(first.id, new Date());
  const second = await addVehicle('FILES2');
  expect((await ask(`/files/${file}`)).status).toBe(410);
  expect(await certificateOf(second.id, 'FILES2')).toBe(file);
  expect((await ask(`/files/${file}`)).status).toBe(200);
});

test('the photo of a removed vehicle’s calibration set is no longer public', async () => {
  const { id } = await addVehicle('FILES3');
  const stored = await storeUpload(services.db, services.files, {
    role: 'certificate',
    prefix: 'sets/FILES3',
    bytes: PDF,
  });
  if (!stored.stored) throw new Error(stored.reason);
  await services.db
    .insertInto('calibrationSet')
    .values({
      vehicleId: id,
      visitedAt: new Date(),
      technicianId: await services.db
        .transaction()
        .execute((tx) => findOrAddActor(tx, { name: 'Jo', email: 'jo@x.example' })),
      photoId: stored.fileId,
      photoSha256: 'a'.repeat(64),
      axles: JSON.stringify([{}]),
    })
    .execute();
  expect((await ask(`/files/${stored.fileId}`)).status).toBe(200);
  await remove(id, new Date());
  expect((await ask(`/files/${stored.fileId}`)).status).toBe(410);
});
