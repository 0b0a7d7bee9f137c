// Sends bodies of every kind: each bad one is refused in words, and none causes a server error.
import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { refuseNul } from '#app/platform/http/form.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { submitForm } from './submit-form.server.ts';

let given: TestServices;
beforeAll(async () => {
  given = await createTestServices();
});
afterAll(() => given.stop());

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const BODIES: readonly [what: string, type: string | undefined, body: string, status: number][] = [
  ['a form', URLENCODED, 'name=Mia+K%20%C3%A9', 200],
  ['a form with files', MULTIPART, `${part('name', 'Mia')}--b--\r\n`, 200],
  ['plain text', 'text/plain', 'name=Mia', 415],
  ['JSON', 'application/json', '{"name":"Mia"}', 415],
  ['no content type', undefined, 'name=Mia', 415],
  ['a content type that is none', ';;;', 'name=Mia', 415],
  ['multipart without a boundary', 'multipart/form-data', `${part('name', 'Mia')}--b--\r\n`, 400],
  ['multipart that breaks off', MULTIPART, part('name', 'Mia'), 400],
  ['multipart that is none', MULTIPART, 'name=Mia', 400],
  ['broken percent-encoding', URLENCODED, 'name=%E0%A4%A', 400],
  ['percent-encoding of no UTF-8', URLENCODED, 'name=%FF', 400],
  ['NUL', URLENCODED, 'name=Mi%00a', 400],
  ['NUL as it is', URLENCODED, 'name=Mi\0a', 400],
  ['NUL in a name', URLENCODED, 'na%00me=Mia&name=Mia', 400],
  ['NUL in a part', MULTIPART, `${part('name', 'Mi\0a')}--b--\r\n`, 400],
  ['nothing', undefined, '', 400],
];

function requestOf(type: string | undefined, body: string): Request {
  const request = new Request('http://127.0.0.1/reset', { method: 'POST', body: new TextEncoder().encode(body) });
  if (type !== undefined) request.headers.set('content-type', type);
  return request;
}

test.each(BODIES)('%s', async (_what, type, body, status) => {
  const context = new RouterContextProvider();
  context.set(servicesContext, given);
  const schema = z.object({ name: z.string({ error: 'Enter a name.' }) });
  let written = '';
  const answer = await submitForm(
    { request: requestOf(type, body), context },
    {
      failure: 'Error:',
      schema,
      async write({ input }) {
        written = input.name;
        return { shown: true };
      },
    },
  );
  if (status === 200) return expect(written).toMatch(/^Mia( K é)?$/);
  expect(written).toBe('');
  if (answer instanceof Response) throw new Error('it was taken');
  expect(answer.init?.status).toBe(status);
  const { failure, errors } = answer.data;
  expect(failure?.sentence ?? errors.name).toMatch(/^([A-Z].*[.]|Enter a name\.)$/);
  if (failure !== undefined) expect(failure).toMatchObject({ lead: 'Error:', code: 'form-malformed' });
});

test('what fails on our side keeps what was typed, and no password', async () => {
  const context = new RouterContextProvider();
  context.set(servicesContext, given);
  const answer = await submitForm(
    { request: requestOf(URLENCODED, 'email=a%40b.example&password=secret'), context },
    {
      failure: 'Error setting up:',
      schema: z.object({ email: z.string(), password: z.string() }),
      write: () => Promise.reject(new Error('the disk is full')),
    },
  );
  expect(answer).toMatchObject({
    data: {
      values: { email: 'a@b.example' },
      failure: {
        lead: 'Error setting up:',
        code: 'registry-unavailable',
        sentence: 'Nothing was saved. Try again in a moment.',
      },
    },
    init: { status: 503 },
  });
  expect(JSON.stringify(answer)).not.toContain('secret');
});

// A body that would take a second and more where each field costs as much as all before it together.
const REPEATED = 400_000;
const many = (times: number) => part('a', '').repeat(times);
test.each<[what: string, type: string, body: string, sentence: string]>([
  ['one name many times', URLENCODED, 'a=&'.repeat(REPEATED), 'A form has at most 1,000 fields.'],
  ['no names', URLENCODED, '&'.repeat(REPEATED), 'A form has at most 1,000 fields.'],
  ['many names', URLENCODED, Array.from({ length: 1001 }, (_, at) => `a${at}=`).join('&'), 'at most 1,000 fields.'],
  ['401 fields of one name', URLENCODED, 'axle=STEER&'.repeat(401), 'A form has at most 400 fields of one name.'],
  ['8 MB of escapes', URLENCODED, `name=${'%0A'.repeat(2_700_000)}`, 'The form has too much text.'],
  ['many parts', MULTIPART, `${many(20_000)}--b--\r\n`, 'A form has at most 400 fields of one name.'],
  ['parts without names', MULTIPART, `${'--b\r\nA: b\r\n\r\n\r\n'.repeat(20_000)}--b--\r\n`, 'at most 1,000 fields.'],
])('a form with %s is refused while it is read', async (_what, type, body, sentence) => {
  const context = new RouterContextProvider();
  context.set(servicesContext, given);
  const before = process.threadCpuUsage();
  const answer = await submitForm(
    { request: requestOf(type, body), context },
    { failure: 'Error:', schema: z.object({}), write: () => Promise.reject(new Error('it was taken')) },
  );
  expect(answer).toMatchObject({
    data: { failure: { sentence: expect.stringContaining(sentence) } },
    init: { status: 400 },
  });
  // Of processor time: what else the machine does is not counted.
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(500);
});

test('a text too long to be shown again is not, and the others are', async () => {
  const context = new RouterContextProvider();
  context.set(servicesContext, given);
  const answer = await submitForm(
    { request: requestOf(URLENCODED, `name=Mia&list=${'%22'.repeat(300_001)}`), context },
    {
      failure: 'Error:',
      schema: z.object({ name: z.string(), list: z.string().max(10, 'This is too long.') }),
      write: () => Promise.reject(new Error('it was taken')),
    },
  );
  expect(answer).toMatchObject({ data: { values: { name: 'Mia' }, errors: { list: 'This is too long.' } } });
  expect(JSON.stringify(answer).length).toBeLessThan(1000);
});

test('1,000 fields, and 400 of one name, are a form', async () => {
  const context = new RouterContextProvider();
  context.set(servicesContext, given);
  const body = [...Array.from({ length: 400 }, () => 'axle=x'), ...Array.from({ length: 599 }, (_, at) => `a${at}=`)];
  const answer = await submitForm(
    { request: requestOf(URLENCODED, [...body, 'name=Mia'].join('&')), context },
    {
      failure: 'Error:',
      schema: z.object({ name: z.string() }),
      async write({ input, form }) {
        return { shown: true, more: { name: input.name, axles: form.all.get('axle')?.length } };
      },
    },
  );
  expect(answer).toMatchObject({ data: { more: { name: 'Mia', axles: 400 } } });
});

test('text without NUL passes', () => {
  refuseNul('', 'Mia', '😀');
});
