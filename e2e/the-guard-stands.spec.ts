// Every route × role × method, generated from the routes. A route that is in no table fails the test.
import { request as httpRequest } from 'node:http';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';
import { PAGES } from '#app/access/pages.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { may, ROLES, type Role } from '#app/access/permissions.ts';
import { newReference } from '#test/references.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { asOffice, report, REPORTER_BY_MAIL, take } from '#test/wrong-records.ts';
import { expect, test } from './registry.ts';
import { listLinkOf } from './follow-links.ts';
import { newPerson, sessionOf } from './people.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

function patterns(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const path = [above, entry.path].filter(Boolean).join('/');
    return entry.children === undefined ? [`/${path}`] : patterns(entry.children, path);
  });
}

// An address for each pattern: records that exist where there are some.
const example = (pattern: string) =>
  pattern
    .replace('/*', '/no/such/page')
    .replace(':rego', 'GUARD1')
    .replace(':file', 'GUARD1.svg')
    .replace(':personId', '00000000-0000-4000-8000-000000000000')
    .replace(':token', 'x'.repeat(43))
    .replace(':verification', '00000000-0000-4000-8000-000000000000')
    .replace(':id', 'nobody@registry,example');

type Answer = { status: number; location: string; retryAfter?: string | undefined };
function ask(origin: string, method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(new URL(path, origin), { method, headers: { origin, ...headers } }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('every route is in the table, and every row of the table is a route', () => {
  expect(patterns(routes).toSorted()).toEqual(Object.keys(PAGES).toSorted());
});

test('each page answers each role and method as the table says', async ({ registry }) => {
  // A record that the allowed requests change and delete.
  await registry.db.insertInto('vehicle').values({ rego: 'GUARD1' }).execute();
  const cookies = new Map<Role, string>();
  for (const role of ROLES)
    if (role !== 'public') cookies.set(role, (await sessionOf(registry, await newPerson(registry, role))).cookie);
  const { cookie: ended, sessionId } = await sessionOf(registry, await newPerson(registry, 'admin'));
  await registry.db.deleteFrom('session').where('id', '=', sessionId).execute();

  const wrong: string[] = [];
  let asked = 0;
  for (const pattern of patterns(routes))
    for (const method of METHODS)
      for (const role of [...ROLES, 'signed out meanwhile'] as const) {
        // Signing out would end the session that the next rows need.
        if (pattern === '/logout' && method === 'POST') continue;
        const cookie = role === 'signed out meanwhile' ? ended : (cookies.get(role) ?? '');
        const answer = await ask(registry.url, method, example(pattern), {
          cookie,
          'content-type': 'application/x-www-form-urlencoded',
        });
        asked += 1;
        const known = method === 'HEAD' ? 'GET' : method;
        const permission = known === 'GET' || known === 'POST' ? PAGES[pattern]?.[known] : undefined;
        const as: Role = role === 'signed out meanwhile' ? 'public' : role;
        const expected =
          permission === undefined
            ? answer.status === 405 || (method === 'OPTIONS' && answer.status < 500)
            : may(as, permission)
              ? answer.status !== 401 || pattern.includes('login') || pattern === '/second-factor'
              : as === 'public'
                ? answer.status === 302 && answer.location.startsWith('/login?to=')
                : answer.status === 403;
        const allowed = permission !== undefined && may(as, permission);
        const denied = answer.status === 403 || answer.location.startsWith('/login?to=') || answer.status === 405;
        if (!expected || (allowed && denied) || answer.status >= 500)
          wrong.push(`${method} ${pattern} as ${role}: ${answer.status} ${answer.location}`);
      }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(400);
});

/** A report of a wrong record, which is asked of the person. */
async function askedOf({ db, dataDir }: StartedRegistry, personId: string): Promise<{ id: string; token: string }> {
  const services = { db, config: readConfig({ DATA_DIR: dataDir }), now: () => new Date() };
  const sent = await report(services, { vehicle: 'FILES1' });
  const session = { sessionId: '', recordId: '', mustChangePassword: false, hasSecondFactor: false };
  const who = { personId, email: '', name: 'Mia', role: 'admin', ...session } as const;
  await take(services, REPORTER_BY_MAIL, sent.id, 'confirmed');
  await db.updateTable('wrongReport').set({ personId }).where('id', '=', sent.id).execute();
  expect(await take(services, asOffice(who), sent.id, 'asked')).toEqual({ done: true });
  return sent;
}

test('a page lets large files in where its form takes them, and nowhere else', async ({ registry }) => {
  await registry.db.insertInto('vehicle').values({ rego: 'FILES1' }).execute();
  const admin = await newPerson(registry, 'admin');
  const { cookie } = await sessionOf(registry, admin);
  const weighbridge = await newReference(registry.db, admin.personId, 'Guarded');
  const list = await listLinkOf(registry);
  const reported = await askedOf(registry, admin.personId);
  const addressOf = (pattern: string) =>
    /^\/(following|follow\/confirm|lists)\/:token/.test(pattern)
      ? pattern.replace(':token', list.split('/').at(-1) ?? '')
      : pattern === '/reports/r/:token'
        ? pattern.replace(':token', reported.token)
        : pattern === '/my-reports/:id'
          ? pattern.replace(':id', reported.id)
          : pattern === '/profile/update/:id'
            ? pattern.replace(':id', 'x')
            : pattern.startsWith('/references/')
              ? example(pattern.replace(':id', weighbridge.id))
              : example(pattern.replace(':rego', 'FILES1').replace(':id', admin.email.replaceAll('.', ',')));
  const takes: string[] = [];
  for (const [pattern, { GET }] of Object.entries(PAGES)) {
    if (GET === undefined || pattern === '/logout') continue;
    const answer = await fetch(`${registry.url}${addressOf(pattern)}`, { headers: { cookie }, redirect: 'manual' });
    if (/enctype="multipart\/form-data"/i.test(await answer.text())) takes.push(pattern);
  }
  // Where a script sends a file as soon as it is chosen.
  takes.push('/uploads');
  expect(takes.toSorted()).toEqual(
    Object.entries(PAGES)
      .filter(([, { uploads, list, GET }]) => uploads === true || (list === true && GET !== undefined))
      .map(([pattern]) => pattern)
      .toSorted(),
  );
  for (const pattern of takes) {
    const body = new FormData();
    // Without this field a following is confirmed, not changed.
    body.append('list', '');
    body.append('photo_file', new Blob(['x'.repeat(1_500_000)]), 'photo.jpg');
    const headers = { cookie, origin: registry.url };
    const answer = await fetch(`${registry.url}${addressOf(pattern)}`, { method: 'POST', headers, body });
    expect([pattern, answer.status < 500 && ![200, 411, 413].includes(answer.status)]).toEqual([pattern, true]);
  }
});

test('the other routes: files, event streams, API, health', async ({ registry }) => {
  const admin = await newPerson(registry, 'admin');
  const tech = await newPerson(registry, 'technician');
  const asAdmin = (await sessionOf(registry, admin)).cookie;
  const asTech = (await sessionOf(registry, tech)).cookie;
  const status = async (method: string, path: string, cookie = '') =>
    (await ask(registry.url, method, path, { cookie })).status;

  for (const topic of ['admins', 'technicians', 'applications', 'logs', `person:${admin.personId}`]) {
    expect(await status('GET', `/live?topic=${topic}`), topic).toBe(401);
    expect(await status('GET', `/live?topic=${topic}`, asTech), topic).toBe(403);
    expect(await streamOpens(registry.url, topic, asAdmin), topic).toBe(true);
    // One private topic among public ones is enough.
    expect(await status('GET', `/live?topic=vehicles&topic=${topic}`), topic).toBe(401);
  }
  expect(await streamOpens(registry.url, `person:${tech.personId}`, asTech)).toBe(true);
  expect(await streamOpens(registry.url, 'vehicles', '')).toBe(true);
  expect(await status('GET', '/live?topic=nothing', asAdmin)).toBe(400);
  for (const method of ['POST', 'PUT', 'DELETE'])
    for (const path of ['/api/v1/vehicles', '/live?topic=vehicles', '/files/x', '/healthz'])
      expect([403, 404, 405], `${method} ${path}`).toContain(await status(method, path, asAdmin));
  expect(await status('GET', '/.well-known/jwks.json')).toBe(200);
  // Nobody can reach the sign-in library's own routes.
  for (const path of ['/api/auth/sign-in/email', '/api/auth/get-session', '/api/auth/sign-up/email', '/api/auth/ok'])
    for (const method of ['GET', 'POST'])
      expect([404, 405], `${method} ${path}`).toContain(await status(method, path, asAdmin));
});

test('a stream of somebody signed in closes within a second of the session’s end', async ({ registry }) => {
  const admin = await newPerson(registry, 'admin');
  const { cookie, sessionId } = await sessionOf(registry, admin);
  const answer = await fetch(`${registry.url}/live?topic=admins`, { headers: { cookie } });
  const reader = answer.body?.getReader();
  await reader?.read();
  await registry.db.deleteFrom('session').where('id', '=', sessionId).execute();
  let said = '';
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
    said += new TextDecoder().decode(read.value);
  expect(said).toContain('event: signed-out');
});

test('a request from another site changes nothing', async ({ registry }) => {
  const admin = await newPerson(registry, 'admin');
  const { cookie } = await sessionOf(registry, admin);
  const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: registry.url.replace('127.0.0.1', 'localhost') },
    { origin: `${registry.url}.evil.example` },
    { origin: '', 'sec-fetch-site': 'cross-site' },
    { origin: '', 'sec-fetch-site': 'same-site' },
  ])
    for (const path of ['/logout', '/settings', '/profile/update', '/uploads', '/login', '/reset']) {
      const answer = await ask(registry.url, 'POST', path, { ...form, ...headers });
      expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(403);
    }
  const bare = await new Promise<number>((resolve) => {
    const sent = httpRequest(new URL('/logout', registry.url), { method: 'POST', headers: form }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.end();
  });
  expect(bare).toBe(403);
  expect((await ask(registry.url, 'GET', '/dashboard', { cookie })).status).toBe(200);
});

test('forged headers: no address of the browser’s own, no other host, no session by header', async () => {
  const registry = await startRegistry({ RATE_LIMITS: 'on', PUBLIC_URL: 'https://registry.example' });
  try {
    const sign = (more: Record<string, string>, email: string, password = 'wrong', path = '/login') =>
      signInOver(registry.url, email, password, more, path);
    // Twenty tries from one socket, each with another forged address: the twenty-first is refused.
    for (let index = 0; index < 20; index += 1) {
      const forged = `198.51.100.${index}`;
      const headers = {
        'x-forwarded-for': forged,
        'x-client-ip': forged,
        'x-real-ip': forged,
        forwarded: `for=${forged}`,
      };
      expect((await sign(headers, `person${index}@x.example`)).status).toBe(401);
    }
    const refused = await sign({ 'x-forwarded-for': '203.0.113.77' }, 'last@x.example');
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toMatch(/^[1-9]\d?$/);
    // A page's script gets the refusal too.
    const byScript = await sign({}, 'last@x.example', 'wrong', '/login.data');
    expect([byScript.status, byScript.retryAfter]).toEqual([429, expect.stringMatching(/^[1-9]\d?$/)]);
    const elsewhere = await ask(registry.url, 'GET', '/login', { host: 'evil.example' });
    expect(elsewhere).toEqual({ status: 301, location: 'https://registry.example/login' });
    const byHeader = { host: 'registry.example', 'x-forwarded-host': 'evil.example', authorization: 'Bearer x' };
    expect((await ask(registry.url, 'GET', '/dashboard', byHeader)).location).toBe('/login?to=%2Fdashboard');
  } finally {
    await registry.stop();
  }
});

test('a client with IPv6 is one, whichever of its addresses it uses', async () => {
  const registry = await startRegistry({
    RATE_LIMITS: 'on',
    TRUST_PROXY: 'on',
    PUBLIC_URL: 'https://registry.example',
  });
  try {
    const signFrom = (address: string, email: string) =>
      signInOver(registry.url, email, 'wrong', { 'x-forwarded-for': address });
    for (let index = 1; index <= 20; index += 1)
      expect((await signFrom(`2001:db8:1:2:${index}::${index}`, `person${index}@x.example`)).status).toBe(401);
    expect((await signFrom('2001:db8:1:2:ffff::1', 'last@x.example')).status).toBe(429);
    expect((await signFrom('2001:db8:1:3::1', 'last@x.example')).status).toBe(401);
  } finally {
    await registry.stop();
  }
});

function signInOver(
  origin: string,
  email: string,
  password: string,
  more: Record<string, string>,
  path = '/login',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = new URLSearchParams({ email, password }).toString();
    const headers = {
      host: 'registry.example',
      origin: 'https://registry.example',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      ...more,
    };
    const sent = httpRequest(new URL(path, origin), { method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location ?? '',
          retryAfter: response.headers['retry-after'],
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function streamOpens(origin: string, topic: string, cookie: string): Promise<boolean> {
  const abort = new AbortController();
  const answer = await fetch(`${origin}/live?topic=${topic}`, { headers: { cookie }, signal: abort.signal });
  const opened = answer.ok && answer.headers.get('content-type') === 'text/event-stream';
  abort.abort();
  return opened;
}
