// Every page that may answer 429: Retry-After has the time that the page states, which fits the limit.
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { retryIn } from '#app/platform/database/rate-limit.server.ts';
import { newPerson, sessionOf } from './people.ts';
import { expect, test } from './registry.ts';

test.use({ settings: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } });
// One after the other, on one registry.
test.describe.configure({ mode: 'default' });

type Row = {
  path: string;
  /** Below app/: what answers 429. */
  from: string;
  /** Sent by POST; none is a download. */
  fields?: Record<string, string>;
  isPublic?: true;
  /** No page: there is no data of it. */
  isFile?: true;
};

const WRONG = { email: 'nobody@site.example', password: 'not the words' };
const NEW = { password: 'four green weighbridges here', repeat: 'four green weighbridges here' };
const SECOND_FACTOR = { path: '/settings/second-factor', from: 'sign-in/sign-in-action.server.ts' };
const COMPANY = { company_name: 'Northside', abn: '51 824 753 556', trade_licence_num: 'SL-1' };
const LONG_LIST = { list: 'NONE1\n'.repeat(10_000) };
const ROWS: readonly Row[] = [
  { path: '/login', from: 'sign-in/sign-in-action.server.ts', fields: WRONG, isPublic: true },
  { path: '/tech-login', from: 'sign-in/sign-in-action.server.ts', fields: WRONG, isPublic: true },
  { path: '/second-factor', from: 'sign-in/routes/second-factor.tsx', fields: { code: '123456' }, isPublic: true },
  {
    path: '/reset',
    from: 'sign-in/routes/reset.tsx',
    fields: { email: 'nobody@site.example' },
    isPublic: true,
  },
  { path: '/new-password', from: 'sign-in/sign-in-action.server.ts', fields: { current_password: 'wrong', ...NEW } },
  { ...SECOND_FACTOR, fields: { intent: 'begin', password: 'not the words' } },
  { ...SECOND_FACTOR, fields: { intent: 'confirm', code: '123456' } },
  {
    path: '/vehicles/follow/XV04KL',
    from: 'following/ask-to-follow.server.ts',
    fields: { email: 'me@site.example' },
    isPublic: true,
  },
  {
    path: '/tech-register',
    from: 'applications/routes/tech-register.tsx',
    fields: { ...COMPANY, email: 'office@northside.example' },
    isPublic: true,
  },
  {
    path: '/reports/mine',
    from: 'wrong-records/report-action.server.ts',
    fields: { email: 'me@site.example' },
    isPublic: true,
  },
  { path: '/check', from: 'check-list/line-limit.server.ts', fields: LONG_LIST, isPublic: true },
  {
    path: '/check/follow',
    from: 'following/ask-to-follow.server.ts',
    fields: { list: 'XV04KL', email: 'me@site.example' },
    isPublic: true,
  },
  {
    path: '/check/answer.csv',
    from: 'check-list/line-limit.server.ts',
    fields: LONG_LIST,
    isPublic: true,
    isFile: true,
  },
  { path: '/vehicles/report/XV04KL.pdf', from: 'reports/answer-report.server.ts', isPublic: true },
];
/** What the others call. */
const ANSWERS_SO = 'forms/submit-form.server.ts';
const TRIES_MAX = 40;
const SINCE_SECONDS = 20;
/** What the server puts on a 429 that says nothing itself. */
const UNSAID_SECONDS = 60;

test('every place that answers so is in the table', async () => {
  const app = path.resolve(import.meta.dirname, '../app');
  const places = new Set<string>();
  for await (const file of glob('**/*.{ts,tsx}', { cwd: app }))
    if (
      !file.includes('.test.') &&
      file !== ANSWERS_SO &&
      /\b429,|refusedTooMany\(/.test(await readFile(path.join(app, file), 'utf8'))
    )
      places.add(file);
  expect([...places].toSorted()).toEqual([...new Set(ROWS.map(({ from }) => from))].toSorted());
});

for (const [index, { path: address, fields, isPublic, isFile }] of ROWS.entries())
  test(`${address}${fields?.['intent'] === undefined ? '' : `, ${fields['intent']}`}: a page and a page's script are told when to try again`, async ({
    registry,
  }) => {
    // Each row has its own address. Otherwise it would use up the attempts of the next row.
    const headers: Record<string, string> = { origin: registry.url, 'x-forwarded-for': `198.51.100.${index + 1}` };
    if (isPublic === undefined)
      headers['cookie'] = (await sessionOf(registry, await newPerson(registry, 'admin'))).cookie;
    const ask = (to: string) =>
      fetch(
        `${registry.url}${to}`,
        fields === undefined
          ? { headers }
          : { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' },
      );
    let answer = await ask(address);
    for (let tries = 1; answer.status !== 429 && tries < TRIES_MAX; tries += 1) {
      await answer.arrayBuffer();
      answer = await ask(address);
    }
    expect(answer.status).toBe(429);
    // Some time later, the rest of it is neither a whole minute nor a whole hour.
    await sql`update rate_limit set hits =
      array(select hit - make_interval(secs => ${SINCE_SECONDS}) from unnest(hits) as hit)`.execute(registry.db);
    for (const to of fields === undefined || isFile === true ? [address] : [address, `${address}.data`]) {
      const later = await ask(to);
      const seconds = Number(later.headers.get('retry-after'));
      expect([to, later.status]).toEqual([to, 429]);
      expect([to, seconds > 0 && seconds !== UNSAID_SECONDS]).toEqual([to, true]);
      if (fields !== undefined) expect(await later.text()).toContain(`Try again ${retryIn(seconds)}.`);
    }
  });
