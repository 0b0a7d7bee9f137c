// Reads every page as each role sees it, with the topics that it subscribes to, and every answer of the API.
import { setTimeout as pause } from 'node:timers/promises';
import routes from '#app/routes.ts';
import { PAGES } from '#app/access/pages.ts';
import { may } from '#app/access/permissions.ts';
import { apiApp } from '#server/api.ts';
import { API_PREFIX, pagePatterns } from '#test/fuzz/routes.ts';
import { ADDED_ADMIN, APPLICANT, COLLEAGUE, DECLINED, IMPORTED_REGO, LEAVER, REGO, type World } from './world.ts';

/** `text`: the visible text of a page or the answer of the API, without the parts that differ with each request. */
export type Read = { pattern: string; status: number; text: string; topics: readonly string[] };
export type Reads = Map<string, Read>;

const AT_ONCE = 4;
const AGAIN_MAX = 10;
const AGAIN_MS = 3000;

// Removes idempotency keys, request ids and scripts. Scripts repeat the page's data, and contain the log's size.
const MASKED: readonly RegExp[] = [
  // When the whole history was last checked is no write: an open page says it with the next.
  /The whole history (?:is|was last) held against [^"<\\]*/g,
  /<script[\s\S]*?<\/script>/g,
  /(?<=name="form_key" value=")[0-9a-f-]{36}/g,
  /(?<=id="request-id">)[0-9a-f-]{36}/g,
  // How many visits wait, in the sidebar: it is asked again with every page.
  /<span class="[^"]*">\d+\+?<span class="sr-only"> waiting<\/span><\/span>/g,
];

// Each of these has an account in the world.
const READERS = ['public', 'technician', 'admin'] as const;

type Address = { role: (typeof READERS)[number]; pattern: string; path: string };

/** Every address that exists, with the roles that may read it. */
function pageAddresses(world: World): Address[] {
  return pagePatterns(routes).flatMap((pattern) => {
    const permission = PAGES[pattern]?.GET;
    if (permission === undefined) return [];
    const roles = READERS.filter((role) => may(role, permission));
    return examplesOf(world, pattern).flatMap((path) => roles.map((role) => ({ role, pattern, path })));
  });
}

// Before the log began: what is said of it never changes.
const PAST_DAY = '2020-03-12';
const segment = (email: string) => email.replaceAll('.', ',');

function examplesOf(
  { theirs, recorders, readings, admin, technician, reference, withdrawal, report }: World,
  pattern: string,
): string[] {
  const regos = [REGO, IMPORTED_REGO, theirs.rego];
  const each = (name: string, values: readonly string[]) => values.map((value) => pattern.replace(name, value));
  if (pattern === '/') return ['/', `/?q=${REGO}`];
  if (pattern === '/search') return ['/search', `/search?q=${REGO}`];
  if (pattern === '/logs') return ['/logs', `/logs?record=${REGO}`];
  if (pattern.includes(':rego/:id'))
    return [...readings.map((id) => ({ rego: REGO, id })), theirs].map(({ rego, id }) =>
      pattern.replace(':rego', rego).replace(':id', String(id)),
    );
  if (pattern.includes(':rego')) return each(':rego', regos).map((path) => path.replace(':day', PAST_DAY));
  if (pattern.startsWith('/admins/')) return each(':id', [admin.email, COLLEAGUE, ADDED_ADMIN].map(segment));
  if (pattern.startsWith('/technicians/'))
    return each(':id', [technician.email, LEAVER, APPLICANT, 'imported.technician@yard.example'].map(segment));
  if (pattern.startsWith('/applications/'))
    return each(':id', [APPLICANT, DECLINED, 'imported.applicant@yard.example'].map(segment));
  if (pattern === '/calibrated-by/:personId') return each(':personId', recorders);
  if (pattern.startsWith('/references/:id'))
    return reference === '' || pattern.includes(':verification') ? [] : each(':id', [reference]);
  if (pattern === '/references/recalls/:id') return withdrawal === '' ? [] : each(':id', [withdrawal]);
  if (pattern === '/reports/:id' || pattern === '/my-reports/:id') return report === '' ? [] : each(':id', [report]);
  if (pattern === '/log/entries/:index') return each(':index', ['0']);
  return pattern.includes(':') || pattern === '/*' || pattern === '/logout' ? [] : [pattern];
}

/**
 * All pages and answers of the API, by role and address. A request with a cookie is never answered from the cache.
 * Downloads are left out, because nobody keeps one open.
 */
export function readAll(world: World): Promise<Reads> {
  const cookies = { public: 'no=session', technician: world.technician.cookie, admin: world.admin.cookie };
  return readEach(world, addresses(world), (role) => cookies[role]);
}

/** The public answers, from the cache. */
export function readCached(world: World): Promise<Reads> {
  const ofPublic = addresses(world).filter(({ role }) => role === 'public');
  return readEach(world, ofPublic, () => '');
}

const addresses = (world: World) => [...pageAddresses(world), ...apiAddresses(world)];

function apiAddresses({ services, theirs, readings }: World): Address[] {
  const patterns = new Set(apiApp(services).routes.map(({ path }) => path));
  const found = [...patterns]
    .filter((path) => path !== '*' && path !== '/*')
    .flatMap((pattern) =>
      [REGO, IMPORTED_REGO, theirs.rego].map((rego) =>
        `${API_PREFIX}${pattern}`
          .replace(/:rego(\{[^}]*\})?/, rego)
          .replace(/:version(\{[^}]*\})?/, '1')
          .replace(/:index(\{[^}]*\})?/, '0')
          .replace(/:day(\{[^}]*\})?/, PAST_DAY)
          .replace(/:id(\{[^}]*\})?/, String((rego === REGO ? readings[0] : theirs.id) ?? theirs.id)),
      ),
    );
  const paths = [...new Set(found), `${API_PREFIX}/vehicles?q=${REGO}`];
  return paths.map((path) => ({ role: 'public', pattern: API_PREFIX, path }));
}

async function readEach(
  world: World,
  asked: readonly Address[],
  cookieOf: (role: Address['role']) => string,
): Promise<Reads> {
  const reads: Reads = new Map();
  const next = asked.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const address of next) {
        const read = await ask(world, address, cookieOf(address.role));
        if (read !== undefined) reads.set(`${address.role} ${address.path}`, read);
      }
    }),
  );
  return reads;
}

async function ask({ registry }: World, { pattern, path }: Address, cookie: string): Promise<Read | undefined> {
  const headers = cookie === '' ? {} : { cookie };
  const get = () => fetch(`${registry.url}${path}`, { headers, redirect: 'manual' });
  let answer = await get();
  // On a busy machine the database may not answer in time.
  for (let again = 0; answer.status === 503 && again < AGAIN_MAX; again += 1) {
    await pause(AGAIN_MS);
    answer = await get();
  }
  const type = answer.headers.get('content-type') ?? '';
  const body = await answer.text();
  const isPage = type.startsWith('text/html');
  if (answer.status >= 500) throw new Error(`${path} was answered ${answer.status}`);
  if (!isPage && !(pattern === API_PREFIX && type.includes('json'))) return undefined;
  const text = MASKED.reduce((masked, pattern) => masked.replaceAll(pattern, ''), body);
  return { pattern, status: answer.status, text, topics: isPage ? topicsIn(body) : [] };
}

function topicsIn(page: string): string[] {
  const [, link] = /<link rel="monitor" href="([^"]*)"/.exec(page) ?? [];
  if (link === undefined) return [];
  return new URL(link.replaceAll('&amp;', '&'), 'http://own.invalid').searchParams.getAll('topic');
}
