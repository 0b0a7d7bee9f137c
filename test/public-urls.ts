// Crawls a running registry: public addresses with their answers, all but of single records. It follows links from the
// front page, and asks the API for every vehicle, for readings, and the log for every file.

// The parts that differ with each answer: the request's id, a form's idempotency key, and the hash of the inline script
// that contains either.
const OF_THE_ANSWER = new Set(['x-request-id', 'date', 'connection', 'keep-alive', 'transfer-encoding']);
const MASKED: readonly [RegExp, string][] = [
  [/(id="request-id">)[0-9a-f-]{36}/g, '$1'],
  [/(name="form_key" value="|\\?"idempotencyKey\\?",\\?")[0-9a-f-]{36}/g, '$1'],
];
const SCRIPT_HASH = /'sha256-[^']+'/g;
const AT_ONCE = 4;
// Of readings and log entries, of which a registry has thousands of each, one in so many is asked for: the same ones
// each time.
const ONE_IN = 8;
const OF_ONE_RECORD = /^\/(calibrations\/|log\/entries\/|api\/v1\/(log\/entries|vehicles\/[^/]+\/calibrations)\/)/;
const isAsked = (url: string): boolean =>
  !OF_ONE_RECORD.test(url) || Number(/(\d+)\D*$/.exec(url)?.[1] ?? 0) % ONE_IN === 0;
const ASSET = /^\/assets\//;
// Skips the page's event stream, whose answer never ends.
const ENDLESS = /^\/live\?/;
const TILE_WIDTH = 256;

/** Address → status, headers, and the body in base64. */
export type PublicAnswers = Map<string, string>;

/** Requests all addresses. `readingsEach`: the readings of each vehicle whose pages and proofs it requests. */
export async function readPublicUrls(origin: string, readingsEach = Infinity): Promise<PublicAnswers> {
  const answers: PublicAnswers = new Map();
  const waiting = ['/', '/no-such-page', '/vehicles/view/NOBODY', '/search?q=NOBODY', '/search.data?q=XV'];
  waiting.push('/robots.txt', '/healthz', '/readyz', '/log.data', '/about.data', '/api/v1/openapi.json');
  for (const query of ['', 'X', 'XV', 'XV0', 'FM2PA1', 'a-1', '%25']) waiting.push(`/search?q=${query}`);
  const { regos, readings } = await listRecords(origin, readingsEach);
  // Each opened first, as a vehicle's page says when its whole history was last checked.
  for (const rego of regos)
    answers.set(`/vehicles/history/${rego}`, (await ask(origin, `/vehicles/history/${rego}`)).answer);
  for (const rego of regos) {
    waiting.push(`/vehicles/view/${rego}`, `/vehicles/view/${rego}.data`, `/search?q=${rego}`);
    for (const end of ['', '/proof', '/calibrations']) waiting.push(`/api/v1/vehicles/${rego}${end}`);
  }
  for (const reading of readings.filter((one) => isAsked(`/calibrations/${one}`)))
    waiting.push(
      `/calibrations/${reading}`,
      ...['', '/proof'].map((end) => `/api/v1/vehicles/${reading.replace('/', '/calibrations/')}${end}`),
    );
  waiting.push(...(await logFiles(origin)));
  const known = new Set([...waiting, ...answers.keys()]);
  const take = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { answer, links } = await ask(origin, next);
      answers.set(next, answer);
      for (const link of links)
        if (!known.has(link) && isAsked(link)) {
          known.add(link);
          waiting.push(link);
        }
    }
  };
  // One worker starts first, because the others need the addresses that it finds.
  const { answer, links } = await ask(origin, '/');
  answers.set('/', answer);
  for (const link of links) if (!known.has(link) && isAsked(link)) waiting.push(link);
  for (const link of links) known.add(link);
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return answers;
}

async function ask(origin: string, url: string): Promise<{ answer: string; links: string[] }> {
  const response = await fetch(origin + url, { redirect: 'manual' });
  const body = Buffer.from(await response.arrayBuffer());
  const headers = [...response.headers]
    .filter(([name]) => !OF_THE_ANSWER.has(name))
    .map(
      ([name, value]) => `${name}: ${name === 'content-security-policy' ? value.replaceAll(SCRIPT_HASH, '') : value}`,
    );
  const isText = /text|json|javascript|xml/.test(response.headers.get('content-type') ?? '');
  let text = isText ? body.toString() : '';
  for (const [pattern, to] of MASKED) text = text.replaceAll(pattern, to);
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  const links =
    isPage && !ASSET.test(url)
      ? [...text.matchAll(/(?:href|src)="(\/[^"#]*)/g)]
          .map(([, link]) => link ?? '')
          .filter((link) => !ENDLESS.test(link))
      : [];
  return {
    answer: [response.status, ...headers, '', isText ? text : body.toString('base64')].join('\n'),
    links: links.map((link) => link.replaceAll('&amp;', '&')),
  };
}

async function listRecords(origin: string, readingsEach: number): Promise<{ regos: string[]; readings: string[] }> {
  const regos = await listAll(`${origin}/api/v1/vehicles`, 'rego');
  const readings: string[] = [];
  for (const rego of regos)
    for (const id of (await listAll(`${origin}/api/v1/vehicles/${rego}/calibrations`, 'id')).slice(0, readingsEach))
      readings.push(`${rego}/${id}`);
  return { regos, readings };
}

async function listAll(address: string, field: string): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer: Record<string, unknown> = await (await fetch(`${address}?page=${page}`)).json();
    const list = Object.values(answer).find((value) => Array.isArray(value)) ?? [];
    const before = found.length;
    for (const each of list) if (!found.includes(String(each[field]))) found.push(String(each[field]));
    if (found.length === before) return found;
  }
}

// c2sp.org/tlog-tiles: the checkpoint, and the tiles of its size.
async function logFiles(origin: string): Promise<string[]> {
  const note = await (await fetch(`${origin}/log/1/checkpoint`)).text();
  const size = Number(note.split('\n')[1]);
  const urls = ['/log/1/checkpoint'];
  const nth = (n: number) => String(n).padStart(3, '0');
  for (const level of ['entries', '0', '1']) {
    const width = level === '1' ? Math.floor(size / TILE_WIDTH) : size;
    for (let tile = 0; tile * TILE_WIDTH < width; tile += 1) {
      const part = Math.min(TILE_WIDTH, width - tile * TILE_WIDTH);
      urls.push(`/log/1/tile/${level}/${nth(tile)}${part === TILE_WIDTH ? '' : `.p/${part}`}`);
    }
  }
  return urls;
}
