// Who may open what of a report, asked of a running registry, and that nothing of its reporter is anywhere else. What
// the registry logged is searched for addresses and tokens when it stops.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hiddenOf, newPerson, newVehicle, send, signIn } from '#test/forms/ground.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { REPORTER } from '#test/wrong-records.ts';
import { makeLink } from './queries.server.ts';

const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';
const ANSWER = 'It was weighed on the 13th.';

let registry: StartedRegistry;
let rego: string;
let id: string;
let token: string;
let file: string;
let answerFile: string;
const cookies: Record<string, string> = { public: '' };

beforeAll(async () => {
  registry = await startRegistry();
  const { db } = registry;
  const vehicle = await newVehicle(db);
  ({ rego } = vehicle);
  for (const role of ['technician', 'admin', 'auditor'] as const)
    cookies[role] = await signIn(registry, await newPerson(db, role));
  const asked = await newPerson(db, 'technician');
  cookies['asked technician'] = await signIn(registry, asked);
  const address = `/reports/new?vehicle=${rego}`;
  const given = { kind: 'figures', ...REPORTER };
  const files = { files: new File([PDF], 'gate.pdf', { type: 'application/pdf' }) };
  const fields = { ...(await hiddenOf(registry, address, '')), ...given };
  const sent = await send(registry, { address, cookie: '', fields, files });
  token = sent.headers.get('location')?.replace('/reports/r/', '') ?? '';
  ({ id } = await db.selectFrom('wrongReport').select('id').executeTakeFirstOrThrow());
  await db.updateTable('wrongReport').set({ personId: asked.personId }).where('id', '=', id).execute();
  file = await fileId();
}, 180_000);
afterAll(() => registry.stop());

const fileId = async () => {
  const files = registry.db.selectFrom('wrongReportFile').select('id').orderBy('stepId', 'desc').limit(1);
  return (await files.executeTakeFirstOrThrow()).id;
};
const ask = (path: string, role: string) =>
  fetch(`${registry.url}${path}`, { redirect: 'manual', headers: { cookie: cookies[role] ?? '' } });

async function take(address: string, role: string, given: Record<string, string>, more: Record<string, File> = {}) {
  const cookie = cookies[role] ?? '';
  const fields = { ...(await hiddenOf(registry, address, cookie)), ...given };
  return (await send(registry, { address, cookie, fields, files: more })).status;
}
async function matrix(paths: Record<string, string>) {
  const rows = Object.entries(paths).map(async ([name, path]) => {
    const statuses = Object.keys(cookies).map(async (role) => [role, (await ask(path, role)).status] as const);
    return [name, Object.fromEntries(await Promise.all(statuses))] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

test('before it is confirmed nobody but the reporter reads it, and the address that was shown does not confirm', async () => {
  expect(
    await matrix({ page: `/reports/${id}`, file: `/reports/${id}/files/${file}`, own: `/my-reports/${id}` }),
  ).toEqual({
    page: { public: 302, technician: 403, admin: 404, auditor: 404, 'asked technician': 403 },
    file: { public: 302, technician: 403, admin: 404, auditor: 404, 'asked technician': 403 },
    own: { public: 302, technician: 404, admin: 404, auditor: 404, 'asked technician': 404 },
  });
  expect((await ask(`/reports/r/${token}/files/${file}`, 'public')).status).toBe(200);
  expect((await ask(`/reports/r/${'x'.repeat(43)}/files/${file}`, 'admin')).status).toBe(404);
  expect(await take(`/reports/r/${token}`, 'public', { intent: 'confirmed' })).toBe(404);
});

test('each role opens what it may, and nobody takes a step of somebody else', async () => {
  const link = { reportId: id, byMail: true };
  const mailed = await registry.db.transaction().execute((tx) => makeLink(tx, link, new Date()));
  expect(await take(`/reports/r/${mailed}`, 'public', { intent: 'confirmed' })).toBe(303);
  for (const role of ['technician', 'auditor', 'asked technician'])
    expect(await take(`/reports/${id}`, role, { intent: 'asked' })).toBe(403);
  expect(await take(`/reports/r/${mailed}`, 'public', { intent: 'asked' })).toBe(404);
  expect(await take(`/reports/${id}`, 'admin', { intent: 'asked' })).toBe(303);
  expect(await take(`/my-reports/${id}`, 'technician', { intent: 'answered', words: ANSWER })).toBe(404);
  const ticket = { files: new File([`${PDF}%`], 'ticket.pdf', { type: 'application/pdf' }) };
  expect(await take(`/my-reports/${id}`, 'asked technician', { intent: 'answered', words: ANSWER }, ticket)).toBe(303);
  answerFile = await fileId();
  expect(
    await matrix({
      list: '/reports',
      page: `/reports/${id}`,
      file: `/reports/${id}/files/${file}`,
      own: `/my-reports/${id}`,
      'own file': `/my-reports/${id}/files/${file}`,
      counts: '/reports/counts',
    }),
  ).toEqual({
    list: { public: 302, technician: 403, admin: 200, auditor: 200, 'asked technician': 403 },
    page: { public: 302, technician: 403, admin: 200, auditor: 200, 'asked technician': 403 },
    file: { public: 302, technician: 403, admin: 200, auditor: 200, 'asked technician': 403 },
    own: { public: 302, technician: 404, admin: 404, auditor: 404, 'asked technician': 200 },
    'own file': { public: 302, technician: 404, admin: 404, auditor: 404, 'asked technician': 200 },
    counts: { public: 200, technician: 200, admin: 200, auditor: 200, 'asked technician': 200 },
  });
  // What the technician said is the office's to read.
  expect((await ask(`/reports/r/${mailed}/files/${answerFile}`, 'public')).status).toBe(404);
  expect((await ask(`/reports/${id}/files/${answerFile}`, 'admin')).status).toBe(200);
  expect(await (await ask(`/reports/r/${mailed}`, 'public')).text()).not.toContain(ANSWER);
  expect((await ask(`/files/${file}`, 'admin')).status).toBe(404);
});

test('no page, API, export or log entry has anything of the reporter', async () => {
  const { leafSize } = await registry.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  const everybody = [
    `/vehicles/view/${rego}`,
    `/vehicles/history/${rego}`,
    `/api/v1/vehicles/${rego}`,
    '/reports/counts',
    '/log',
    `/log/entries/${leafSize - 1}`,
  ];
  const office = [
    '/reports',
    `/reports/${id}`,
    '/logs',
    '/logs.csv',
    `/logs?record=${rego}`,
    '/dashboard',
    '/vehicles.csv',
  ];
  const asked = [
    ...everybody.map((path) => [path, 'public']),
    ...[...everybody, ...office].map((path) => [path, 'admin']),
  ];
  for (const [path = '', role = ''] of [...asked, [`/my-reports/${id}`, 'asked technician']]) {
    const answer = await ask(path, role);
    const text = await answer.text();
    expect([path, answer.status]).toEqual([path, 200]);
    for (const secret of [REPORTER.email, 'malleegrain', token])
      expect([path, text.includes(secret)]).toEqual([path, false]);
    const mayReadWords = path.endsWith(id);
    expect([path, text.includes(REPORTER.words)]).toEqual([path, mayReadWords]);
  }
  expect(await (await ask(`/vehicles/view/${rego}`, 'public')).text()).toContain('A report is open since');
});
