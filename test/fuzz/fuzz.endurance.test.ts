// What no page of ours sends, to every route and method, as each role: never a 5xx, never a connection that is cut
// before there is an answer. The routes are those of the code, the fields those of the pages' own forms. A run sends
// half of all requests, others each time; it prints its seed. SEED=N sends the same again, ALL=1 all of them.
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '#app/access/pages.ts';
import { may, ROLES, type Role } from '#app/access/permissions.ts';
import { signIn } from '#test/faults/registry.ts';
import { addPerson, cookieOf } from '#test/people.ts';
import { newReference } from '#test/references.ts';
import { createTestServices } from '#test/services.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { addressOf, addressWith, allRoutes, type Examples, type Route } from './routes.ts';
import { bodies, COOKIES, HEADERS, PATHS, QUERIES, withOneFault, type Kind } from './kinds.ts';
import { Sender, type Sent } from './send.ts';

const WITH_BODY = ['PUT', 'PATCH', 'DELETE'] as const;
const REST = ['HEAD', 'OPTIONS', 'TRACE', 'POST', ...WITH_BODY] as const;
const AT_ONCE = 8;
const IS_WHOLE = process.env['ALL'] === '1';
const SEED = Number(process.env['SEED'] ?? randomInt(1, 1e9));

let registry: StartedRegistry;
let sender: Sender;
let routes: Route[];
/** Of a vehicle whose records are in the public log. */
let published: Examples;
beforeAll(async () => {
  registry = await startRegistry();
  sender = new Sender(registry.url);
  const services = await createTestServices();
  routes = allRoutes(services);
  await services.stop();
  const { rego, id } = await registry.db
    .selectFrom('calibration')
    .select(['rego', 'id'])
    .limit(1)
    .executeTakeFirstOrThrow();
  published = { ...(await newExamples()), rego, calibration: String(id) };
});
afterAll(async () => {
  sender.close();
  await registry.stop();
});

let asked = 0;
let made = 0;
const wrong: string[] = [];
async function ask(role: string, kind: string, sent: Sent): Promise<void> {
  const outcome = await sender.send(sent);
  asked += 1;
  if (typeof outcome === 'string' || outcome >= 500)
    wrong.push(`${sent.method} ${sent.path.slice(0, 100)} as ${role}, ${kind}: ${outcome}`);
}

async function askAll(requests: (() => Promise<void>)[]): Promise<void> {
  const next = requests.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const request of next) await request();
    }),
  );
}

/** Records of its own for a route: what is asked there may change or remove them. */
async function newExamples(): Promise<Examples> {
  made += 1;
  const { db } = registry;
  const rego = `FUZZ${made}`;
  const { id: vehicleId } = await db.insertInto('vehicle').values({ rego }).returning('id').executeTakeFirstOrThrow();
  const calibration = 1_790_000_000_000 + made;
  const role = made % 2 === 0 ? 'admin' : 'technician';
  const { email, personId } = await addPerson(db, role, `fuzz${made}@registry.example`, { password: null });
  await db.insertInto('application').values({ email, companyName: 'F', repName: 'F' }).execute();
  await db
    .insertInto('calibration')
    .values({
      rego,
      id: calibration,
      vehicleId,
      axle: 'DRIVE',
      attribute: 'Loaded Volt',
      value: '3.1',
      calibratedAt: new Date(calibration),
    })
    .execute();
  const { id: reference } = await newReference(db, personId, `Fuzz ${made}`);
  return { rego, email, personId, calibration: String(calibration), reference };
}

const cookies = new Map<Role, string>();
/** Signs in again whose session was ended by what was sent. */
async function signInAgain(): Promise<void> {
  for (const role of ROLES) {
    if (role === 'public') continue;
    const headers = { cookie: cookies.get(role) ?? '' };
    if ((await fetch(`${registry.url}/my-profile`, { headers, redirect: 'manual' })).status === 200) continue;
    made += 1;
    const { email } = await addPerson(registry.db, role, `fuzzer${made}@registry.example`);
    const answer = await signIn(registry, email);
    cookies.set(role, cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token'))));
  }
}

/** The fields of the forms of a page, with what stands in them. */
async function fieldsOf(path: string, cookie: string): Promise<Map<string, string>> {
  const answer = await fetch(`${registry.url}${path}`, { headers: { cookie }, redirect: 'manual' });
  const page = answer.headers.get('content-type')?.startsWith('text/html') === true ? await answer.text() : '';
  const inputs = [...page.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/g)].map(([tag]) => tag);
  const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return new Map(
    inputs.flatMap((tag) => {
      const name = attribute(tag, 'name');
      return name === undefined ? [] : [[name, attribute(tag, 'value') ?? 'x'] as const];
    }),
  );
}

/** Where a page's data is, as a page in the browser asks for it. */
const dataOf = (path: string) => `${path === '/' ? '/_root' : path}.data`;

function mayPost(role: Role, pattern: string): boolean {
  const permission = PAGES[pattern]?.POST;
  return permission !== undefined && may(role, permission);
}

function request(method: string, path: string, cookie: string, kind: Kind): Sent {
  const cookies = [cookie, kind.cookie].filter((each) => each !== undefined && each !== '').join('; ');
  const headers = { ...(cookies === '' ? {} : { cookie: cookies }), ...kind.headers };
  const query = kind.query === undefined ? '' : `?${kind.query}`;
  return { method, path: `${path}${query}`, headers, ...(kind.body === undefined ? {} : { body: kind.body }) };
}

test('every route is asked', () => {
  const patterns = routes.map(({ pattern }) => pattern);
  expect(patterns).toEqual(
    expect.arrayContaining(['/', '/reset/:token', '/live', '/files/:id', '/metrics', '/api/v1/vehicles']),
  );
  expect(patterns.length).toBeGreaterThan(75);
});

test('no route answers 5xx or cuts the connection, whatever is sent', { timeout: 900_000 }, async () => {
  process.stdout.write(`seed ${SEED}\n`);
  let seed = SEED;
  const next = () => (seed = (seed * 16_807) % 2_147_483_647);
  const oneOf = <T>(of: readonly [T, ...T[]]): T => of[next() % of.length] ?? of[0];
  for (const { kind: what, pattern } of routes) {
    await signInAgain();
    const examples = what === 'page' ? await newExamples() : published;
    const path = addressOf(pattern, examples);
    const requests: (() => Promise<void>)[] = [];
    const add = (role: Role, method: string, at: string, kind: Kind) => {
      if (IS_WHOLE || next() % 2 === 0)
        requests.push(() => ask(role, kind.name, request(method, at, cookies.get(role) ?? '', kind)));
    };
    const fields = await fieldsOf(path, cookies.get('admin') ?? '');
    const always = [...QUERIES, ...COOKIES, ...HEADERS];
    const forms = bodies(fields);
    const posting = ROLES.filter((role) => mayPost(role, pattern));
    // Each kind by GET, by another method and, of a page, for its data; as somebody.
    for (const kind of always) add(oneOf(ROLES), 'GET', path, kind);
    for (const kind of [...always, ...forms]) add(oneOf(ROLES), oneOf(REST), path, kind);
    for (const kind of PATHS) {
      const at = addressWith(pattern, examples, kind.parameter ?? '');
      if (at !== undefined) add(oneOf(ROLES), 'GET', at, kind);
      if (at !== undefined) add(oneOf(ROLES), oneOf(REST), at, kind);
    }
    if (what === 'page') for (const kind of always) add(oneOf(ROLES), 'GET', dataOf(path), kind);
    for (const method of REST) for (const role of ROLES) add(role, method, path, { name: 'nothing strange' });
    // Anybody who may not send a form is refused before it is read.
    for (const kind of forms)
      for (const role of posting) {
        add(role, 'POST', path, kind);
        add(role, 'POST', dataOf(path), kind);
      }
    for (const role of posting.slice(0, 1)) for (const kind of withOneFault(fields)) add(role, 'POST', path, kind);
    await askAll(requests);
  }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(IS_WHOLE ? 18_000 : 9_000);
  expect((await fetch(`${registry.url}/readyz`)).status).toBe(200);
});
