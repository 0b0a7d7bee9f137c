// The specification's messages, word for word, on every screen that has them, each by a real cause. Sent as a browser
// without scripts sends them, so that the answer's page holds the words; the stories show them as toasts.
import type { APIRequestContext } from '@playwright/test';
import type { StartedRegistry } from '#test/start-registry.ts';
import { expect, test } from './registry.ts';
import { newPerson, PASSWORD, type Person } from './people.ts';

// A registry of its own: the limits are on, and the test takes its database away at the end.
test.use({ settings: { RATE_LIMITS: 'on' } });

type Scene = {
  registry: StartedRegistry;
  admin: Person;
  /** Opens a page; sends a form as that page would, and follows where it leads. Both return the words of the page. */
  get: (path: string) => Promise<string>;
  post: (path: string, fields: Record<string, string>) => Promise<string>;
  postFiles: (path: string, fields: Record<string, string>) => Promise<string>;
};
type Row = [message: string, screen: string, cause: (scene: Scene) => Promise<string>];

const keyOf = (email: string) => email.replaceAll('.', ',');
const PEOPLE = { admin: 'other@site.example', technician: 'tech@site.example', applicant: 'office@site.example' };
const REGISTRATION = { company_name: 'Northside', abn: '51 824 753 556', trade_licence_num: 'SL-1' };
const ENTRY = { rego: 'MSG2', axle: 'STEER', attribute: 'Empty Volt', value: '0.84', due_date: '' };
const FIRST = 'first words of the yard';
const QUESTION = 'Are you sure that you wanted to delete this record.';
const DELETED = 'Record Deleted successfully.';
const NOT_DELETED = 'Error deleting item: ';

const ROWS: readonly Row[] = [
  [
    'Email and password does not match.',
    '/tech-login',
    ({ post, admin }) => post('/tech-login', { email: admin.email, password: 'no' }),
  ],
  [
    'Email and password does not match.',
    '/login',
    ({ post, admin }) => post('/login', { email: admin.email, password: 'no' }),
  ],
  ['login success', '/login', ({ post, admin }) => post('/login', { email: admin.email, password: PASSWORD })],

  ['Vehicle Added successfully.', '/vehicles/new', ({ postFiles }) => postFiles('/vehicles/new', { rego: 'MSG1' })],
  ['Error adding vehicle: ', '/vehicles/new', ({ postFiles }) => postFiles('/vehicles/new', { rego: 'MSG1' })],
  [
    'Vehicle updated successfully.',
    '/vehicles/update/{id}',
    ({ postFiles }) => postFiles('/vehicles/update/MSG1', { version: '1', make: 'Volvo' }),
  ],
  [
    'Error updating vehicle: ',
    '/vehicles/update/{id}',
    ({ postFiles }) => postFiles('/vehicles/update/MSG1', { version: '1', make: 'Mack' }),
  ],
  [
    'Entry added successfully.',
    '/vehicles/view/{id}',
    async ({ post, postFiles }) => {
      await postFiles('/vehicles/new', { rego: 'MSG2' });
      return post('/vehicles/view/MSG2?calibrate', ENTRY);
    },
  ],
  [
    'Rego has not been entered!!!',
    '/vehicles/view/{id}',
    ({ post }) => post('/vehicles/view/MSG2?calibrate', { ...ENTRY, rego: '' }),
  ],
  [
    'Error added item: ',
    '/vehicles/view/{id}',
    ({ post }) => post('/vehicles/view/MSG2?calibrate', { ...ENTRY, rego: 'MSG1' }),
  ],
  [QUESTION, '/vehicles (delete)', ({ get }) => get('/vehicles/delete/MSG1')],
  [DELETED, '/vehicles (delete)', ({ post }) => post('/vehicles/delete/MSG1', {})],

  [
    'Tech registration requested successfully.',
    '/tech-register',
    ({ post }) => post('/tech-register', { ...REGISTRATION, email: PEOPLE.technician }),
  ],
  [
    'Password is mandatory field!',
    '/applications/view/{id}',
    ({ post }) => post(`/applications/view/${keyOf(PEOPLE.technician)}?approve`, { by: 'admin', password: '' }),
  ],
  [
    'Technician Added successfully.',
    '/applications/view/{id}',
    ({ post }) => post(`/applications/view/${keyOf(PEOPLE.technician)}?approve`, { by: 'admin', password: FIRST }),
  ],
  [
    'Error adding technician: ',
    '/applications/view/{id}',
    ({ post }) => post(`/applications/view/${keyOf(PEOPLE.technician)}?approve`, { by: 'admin', password: FIRST }),
  ],
  [
    QUESTION,
    '/applications (delete)',
    async ({ get, post }) => {
      await post('/tech-register', { ...REGISTRATION, email: PEOPLE.applicant });
      return get(`/applications/delete/${keyOf(PEOPLE.applicant)}`);
    },
  ],
  [DELETED, '/applications (delete)', ({ post }) => post(`/applications/delete/${keyOf(PEOPLE.applicant)}`, {})],
  [QUESTION, '/technicians (delete)', ({ get }) => get(`/technicians/delete/${keyOf(PEOPLE.technician)}`)],
  [DELETED, '/technicians (delete)', ({ post }) => post(`/technicians/delete/${keyOf(PEOPLE.technician)}`, {})],

  [
    'Admin Added successfully.',
    '/admins/new',
    ({ postFiles }) => postFiles('/admins/new', { email: PEOPLE.admin, password: FIRST, name: 'Other' }),
  ],
  [
    'Error adding Admin: ',
    '/admins/new',
    ({ postFiles }) => postFiles('/admins/new', { email: PEOPLE.admin, password: FIRST, name: 'Other' }),
  ],
  [
    'Admin updated successfully.',
    '/admins/update/{id}',
    ({ postFiles }) => postFiles(`/admins/update/${keyOf(PEOPLE.admin)}`, { version: '1', name: 'Another' }),
  ],
  [
    'Error: ',
    '/admins/update/{id}',
    ({ postFiles }) => postFiles(`/admins/update/${keyOf(PEOPLE.admin)}`, { version: '1', name: 'Third' }),
  ],
  [
    'Profile updated successfully.',
    '/profile/update',
    ({ postFiles }) => postFiles('/profile/update', { version: '1', name: 'Mia K.' }),
  ],
  ['Error: ', '/profile/update', ({ postFiles }) => postFiles('/profile/update', { version: '1', name: 'Mia' })],
  [QUESTION, '/admins (delete)', ({ get }) => get(`/admins/delete/${keyOf(PEOPLE.admin)}`)],
  [DELETED, '/admins (delete)', ({ post }) => post(`/admins/delete/${keyOf(PEOPLE.admin)}`, {})],
  [NOT_DELETED, '/admins (delete)', ({ post, admin }) => post(`/admins/delete/${keyOf(admin.email)}`, {})],

  [
    'An email has been sent to your email address with instructions to reset your password.',
    '/reset',
    ({ post }) => post('/reset', { email: 'a@site.example' }),
  ],
  [
    'Error while reseting the password!',
    '/reset',
    async ({ post }) => {
      for (let nth = 1; nth <= 3; nth += 1) await post('/reset', { email: 'b@site.example' });
      return post('/reset', { email: 'b@site.example' });
    },
  ],
  // A known address is answered as any other; a client asks so many times an hour.
  [
    'Error performing tech-register: ',
    '/tech-register',
    async ({ post }) => {
      for (let nth = 1; nth <= 5; nth += 1)
        await post('/tech-register', { ...REGISTRATION, email: `n${nth}@site.example` });
      return post('/tech-register', { ...REGISTRATION, email: 'last@site.example' });
    },
  ],
];

// Somebody else deleted it while the question stood there.
const REFUSED_DELETIONS: readonly [screen: string, path: string][] = [
  ['/vehicles (delete)', '/vehicles/delete/MSG3'],
  ['/applications (delete)', '/applications/delete/late@site,example'],
  ['/technicians (delete)', '/technicians/delete/gone@site,example'],
];

test('each message of the catalogue, on each screen that has it', async ({ request, registry }) => {
  test.setTimeout(120_000);
  const admin = await newPerson(registry, 'admin');
  const scene: Scene = { registry, admin, ...pagesOf(request, registry) };
  const missing: string[] = [];
  for (const [message, screen, cause] of ROWS) {
    const words = await cause(scene);
    if (!words.includes(message)) missing.push(`${screen}: ${message} (got: ${mainOf(words)})`);
  }
  expect(missing).toEqual([]);

  const at = new Date();
  const { db } = registry;
  await db.insertInto('vehicle').values({ rego: 'MSG3', deletedAt: at }).execute();
  await db
    .insertInto('application')
    .values({ email: 'late@site.example', decision: 'deleted', decidedAt: at })
    .execute();
  const gone = await newPerson(registry, 'technician');
  await db
    .updateTable('technician')
    .set({ email: 'gone@site.example', deletedAt: at })
    .where('id', '=', gone.recordId)
    .execute();
  for (const [screen, path] of REFUSED_DELETIONS)
    expect([screen, await scene.post(path, {})]).toEqual([screen, expect.stringContaining(NOT_DELETED)]);

  await registry.cutDatabase();
  expect(await scene.post('/logout', {})).toContain('Logout error:');
  await registry.restoreDatabase();
  await expect.poll(async () => (await request.get('/readyz')).status(), { timeout: 15_000 }).toBe(200);
  expect(await scene.post('/logout', {})).toContain('Logged out successfully!');
});

function pagesOf(request: APIRequestContext, { url }: StartedRegistry) {
  const headers = { origin: url };
  return {
    get: async (path: string) => (await request.get(path)).text(),
    post: async (path: string, form: Record<string, string>) => (await request.post(path, { form, headers })).text(),
    postFiles: async (path: string, multipart: Record<string, string>) =>
      (await request.post(path, { multipart, headers })).text(),
  };
}

const mainOf = (html: string) =>
  html
    .slice(Math.max(0, html.indexOf('<main')))
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200);
