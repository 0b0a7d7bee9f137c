// POST /api/v1/check: a list of trucks in, one row for each line out.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServices, type TestServices } from '#test/services.ts';
import { createApp } from './app.ts';

let services: TestServices;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  services = await createTestServices();
  services.setNow('2026-11-24T01:00:00Z');
  app = createApp(services);
  await services.db.insertInto('vehicle').values({ rego: 'XV04KL', vin: '6T9HZ8FM2PA100418' }).execute();
});
afterAll(() => services.stop());

const check = (body: string, headers: Record<string, string>, remoteAddress = '192.0.2.1') =>
  app.request(
    'http://127.0.0.1/api/v1/check',
    { method: 'POST', body, headers: { host: '127.0.0.1', ...headers } },
    { incoming: { socket: { remoteAddress } } },
  );

test('JSON lines, one for each line, from any origin', async () => {
  const answer = await check(JSON.stringify({ lines: ['xv04kl', '', 'NOPE1'] }), {
    'content-type': 'application/json',
    origin: 'https://fleet.example',
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const rows = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(rows).toEqual([
    {
      line: 1,
      asked_for: 'xv04kl',
      answer: 'does-not-match-log',
      rego: 'XV04KL',
      due_date: null,
      rests_on: 'What is stored is not what was logged',
      same_as: null,
      matches: [],
      did_you_mean: [],
      as_at: '2026-11-24T01:00:00.000Z',
    },
    expect.objectContaining({ line: 2, answer: 'empty' }),
    expect.objectContaining({ line: 3, answer: 'not-found', rests_on: 'Not in this registry' }),
  ]);
});

test('CSV in and out', async () => {
  const answer = await check('Make,Rego\nVolvo,XV04KL\nMack,=1+1', { 'content-type': 'text/csv', accept: 'text/csv' });
  const [begin, ...rows] = (await answer.text()).trimEnd().split('\r\n');
  expect(begin).toContain('line,asked_for,answer');
  expect(rows.map((row) => row.split(',').slice(0, 3))).toEqual([
    ['1', 'Rego', 'Heading'],
    ['2', 'XV04KL', 'Does not match the log'],
    ['3', "'=1+1", 'Not readable'],
  ]);
});

test.each([
  ['application/json', '{', 400, 'list-invalid', 'The body is not JSON.'],
  ['application/json', '{"lines":[1]}', 400, 'list-invalid', 'body.lines.0'],
  ['application/json', JSON.stringify({ lines: Array(10_001).fill('X') }), 400, 'list-invalid', 'body.lines'],
  ['text/csv', 'X\n'.repeat(10_001), 400, 'list-invalid', 'more than 10,000 lines'],
  ['text/html', 'XV04KL', 415, 'list-type', 'text/csv'],
])('%s is refused in a sentence', async (type, body, status, code, words) => {
  const answer = await check(body, { 'content-type': type });
  expect([answer.status, await answer.json()]).toEqual([
    status,
    expect.objectContaining({ code, detail: expect.stringContaining(words) }),
  ]);
});

test('who checks too many lines is told when to come again', async () => {
  const list = 'X\n'.repeat(10_000);
  const statuses: number[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    const answer = await check(list, { 'content-type': 'text/csv' }, '192.0.2.2');
    statuses.push(answer.status);
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await answer.body?.cancel();
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

test('who sends too many bytes is told so before they are read', async () => {
  const commas = ','.repeat(8_900_000);
  const length = { 'content-type': 'text/csv', 'content-length': String(commas.length) };
  const statuses: number[] = [];
  for (let nth = 0; nth < 12; nth += 1) statuses.push((await check(commas, length, '192.0.2.3')).status);
  expect(statuses).toEqual([...Array.from({ length: 11 }, () => 400), 429]);
  const refused = await check(commas, length, '192.0.2.3');
  expect([Number(refused.headers.get('retry-after')) > 0, await refused.json()]).toEqual([
    true,
    expect.objectContaining({ code: 'too-many-bytes' }),
  ]);
  // A short list is bounded by its lines.
  expect((await check('XV04KL', { 'content-type': 'text/csv', 'content-length': '6' }, '192.0.2.3')).status).toBe(200);
});

// Of processor time: what else the machine does is not counted.
const HELD_AT_MOST_MS = 200;
const BYTES = 8_900_000;
const keys = Array.from({ length: 600_000 }, (_, at) => `"k${at}":1`).join(',');
test.each<[name: string, type: string, body: string, words: string]>([
  ['commas in one line', 'text/csv', ','.repeat(BYTES), 'Line 1 is too long'],
  ['commas in lines', 'text/csv', `${','.repeat(800)}\n`.repeat(BYTES / 801), 'more than a million cells'],
  ['quotes', 'text/csv', '"'.repeat(BYTES), 'Line 1 is too long'],
  ['line ends in quotes', 'text/csv', '"\n",,,'.repeat(BYTES / 6), 'is too long'],
  ['keys', 'application/json', `{${keys}}`, 'The body has more than 100 keys.'],
  ['arrays', 'application/json', `{"lines":${'[['.repeat(2_000_000)}`, 'The body is deeper than 4 arrays'],
  ['empty lines', 'application/json', `{"lines":[${'"",'.repeat(BYTES / 4)}""]}`, 'more than 10,100 items'],
  ['escapes', 'application/json', `{"lines":["${'\\"'.repeat(BYTES / 2 - 20)}"]}`, 'lines.0'],
])('a list of %s is refused in little time', async (_name, type, body, words) => {
  const before = process.threadCpuUsage();
  const answer = await check(body, { 'content-type': type });
  const { user } = process.threadCpuUsage(before);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ code: 'list-invalid', detail: expect.stringContaining(words) }),
  ]);
  // The body is also made here.
  expect(user / 1000).toBeLessThan(2 * HELD_AT_MOST_MS);
});
