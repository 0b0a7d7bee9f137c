// The table form × case, without a browser: every form of a page behaves alike when it is refused, stale, gone
// meanwhile, sent after the session ended, without the database or the storage, twice, again after a lost answer, and
// without scripts. What scripts add is in e2e/forms-survive-lost-answers.endurance.spec.ts.
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#test/people.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { hiddenOf, newPerson, send, signIn, summaryOf, type Form } from './ground.ts';
import type { Not, Opened, Row } from './row.ts';
import { ROWS } from './rows.ts';

const ELSEWHERE = {
  'sign-in/routes/setup.tsx': 'only while nobody can sign in: e2e/the-first-administrator.own.spec.ts',
  'files/routes/upload.tsx': 'a script sends it, and reads problem details: app/files/temporary-upload.slow.test.ts',
};

let registry: StartedRegistry;
let admin: Person;
let cookie: string;
beforeAll(async () => {
  registry = await startRegistry();
  admin = await newPerson(registry.db, 'admin');
  cookie = await signIn(registry, admin);
}, 180_000);
afterAll(() => registry.stop());

async function open(row: Row): Promise<Form & Opened> {
  const opened = await row.open(registry, admin, cookie);
  const own = opened.cookie ?? (row.isPublic === undefined ? cookie : '');
  const hidden = await hiddenOf(registry, opened.address, own);
  const form = { ...opened, cookie: own, fields: { ...hidden, ...opened.fields } };
  // A form with file fields is sent in parts, also where no file was chosen.
  return 'field' in row.storage ? { ...form, files: {} } : form;
}
const answerTo = async (form: Form) => summaryOf(await send(registry, form));
// What jobs write by themselves, without an actor, when a run takes long: it is no form's.
const OF_JOBS = ['history.checked', 'pattern.looked', 'pattern.found', 'visit.closed', 'check-visit.drawn'] as const;
const entries = async () => {
  const { size } = await registry.db
    .selectFrom('activityLog')
    .select(({ fn }) => fn.countAll<number>().as('size'))
    .where(({ eb, or }) => or([eb('actorId', 'is not', null), eb('kind', 'not in', OF_JOBS)]))
    .executeTakeFirstOrThrow();
  return Number(size);
};

/** The rows in which a case comes, with what it needs; the others have a reason. */
const where = <Case>(caseOf: (row: Row) => Case | Not): { route: string; row: Row; is: Case }[] =>
  ROWS.flatMap((row) => {
    const is = caseOf(row);
    return isNot(is) ? [] : [{ route: row.route, row, is }];
  });
const isNot = (it: unknown): it is Not => typeof it === 'object' && it !== null && 'not' in it;

test('each route that takes a form is in the table, with each of its forms, or elsewhere with a reason', async () => {
  const app = path.resolve(import.meta.dirname, '../../app');
  const forms: string[] = [];
  for await (const route of glob('*/routes/*.tsx', { cwd: app })) {
    const source = await readFile(path.join(app, route), 'utf8');
    if (/^export (const|function|async function) action\b/m.test(source)) forms.push(route);
  }
  const named = [...ROWS.map(({ route }) => route), ...Object.keys(ELSEWHERE)];
  expect([...new Set(named)].toSorted()).toEqual(forms.toSorted());
});

test.each(where(({ done }) => done))('$route without scripts: a redirect or a page says so', async ({ row, is }) => {
  expect(await answerTo(await open(row))).toMatch(is);
});

test.each(where(({ refused }) => refused))('$route refused: why, and nothing is done', async ({ row, is }) => {
  const { fields, ...form } = await open(row);
  const before = await entries();
  const answer = await answerTo({ ...form, fields: { ...fields, ...is.fields } });
  expect(answer).toMatch(is.says);
  // Where several fields are wrong, links at the top lead to each.
  const wrong = [...answer.matchAll(/ id="(field-[^"]+)"/g)].map(([, id]) => id);
  const links = [...answer.matchAll(/href="#(field-[^"]+)"/g)].map(([, id]) => id);
  expect(links).toEqual(wrong.length < 2 ? [] : expect.arrayContaining(wrong));
  expect(await entries()).toBe(before);
});

test.each(where(({ stale }) => stale))('$route stale: what changed, and nothing is done', async ({ row, is }) => {
  const form = await open(row);
  await form.stale?.();
  const before = await entries();
  expect(await answerTo(form)).toMatch(is);
  expect(await entries()).toBe(before);
});

test.each(where(({ gone }) => gone))(
  '$route gone meanwhile: so it is said, and nothing is done',
  async ({ row, is }) => {
    const form = await open(row);
    await form.gone?.();
    const before = await entries();
    expect(await answerTo(form)).toMatch(is);
    expect(await entries()).toBe(before);
  },
);

test.each(where(({ twice }) => twice))('$route sent twice at once: one effect, one answer', async ({ row }) => {
  const form = await open(row);
  const before = await entries();
  const [one, two] = await Promise.all([answerTo(form), answerTo(form)]);
  expect(one).toMatch(isNot(row.done) ? /./ : row.done);
  expect(two).toBe(one);
  expect(await entries()).toBe(before + 1);
});

test.each(where(({ twice }) => twice))('$route again after a lost answer: one effect', async ({ row }) => {
  const form = await open(row);
  const before = await entries();
  const lost = new AbortController();
  const sending = send(registry, form, lost.signal).catch(() => undefined);
  await expect.poll(entries, { timeout: 20_000, interval: 5 }).toBe(before + 1);
  lost.abort();
  await sending;
  expect(await answerTo(form)).toMatch(isNot(row.done) ? /./ : row.done);
  expect(await entries()).toBe(before + 1);
});

test('the session ended: each form leads to the sign-in and back to its page', async () => {
  const rows = where(({ isPublic }) => (isPublic === undefined ? true : { not: 'anybody may send it' }));
  const ended = await newPerson(registry.db, 'admin');
  const own = await signIn(registry, ended);
  const forms = await Promise.all(rows.map(async ({ route, row }) => ({ route, form: await open(row) })));
  await registry.db.deleteFrom('session').where('userId', '=', ended.personId).execute();
  const before = await entries();
  for (const { route, form } of forms) {
    const answer = await answerTo({ ...form, cookie: own });
    const page = encodeURIComponent(form.address.split('?')[0] ?? '');
    expect([route, answer]).toEqual([route, expect.stringMatching(/^302 \/login\?to=/)]);
    expect([route, answer]).toEqual([route, expect.stringContaining(page)]);
  }
  expect(await entries()).toBe(before);
});

test('the storage is away: each form with a file keeps what was typed, and takes it later', async () => {
  const files = path.join(registry.dataDir, 'files');
  for (const { route, row, is } of where(({ storage }) => storage)) {
    const form = await open(row);
    const bytes = await sharp({
      create: { width: 9, height: 9, channels: 3, background: `#${String(ROWS.indexOf(row)).padStart(6, '3')}` },
    })
      .png()
      .toBuffer();
    const sent = { ...form, files: { [is.field]: new File([new Uint8Array(bytes)], is.name, { type: 'image/png' }) } };
    const before = await entries();
    await rename(files, `${files}.aside`);
    await writeFile(files, '');
    const answer = await answerTo(sent);
    await rm(files);
    await rename(`${files}.aside`, files);
    expect([route, answer]).toEqual([
      route,
      expect.stringMatching(/^503 .*registry-unavailable\. Nothing was \w+\..*typed with care/),
    ]);
    expect(await entries()).toBe(before);
    expect([route, await answerTo(sent)]).toEqual([route, expect.stringMatching(isNot(row.done) ? /./ : row.done)]);
  }
}, 60_000);

test('the database is away: 503 and when to try again, and each form is taken later', async () => {
  const rows = where(({ done }) => done);
  const forms = await Promise.all(rows.map(async ({ row, ...more }) => ({ ...more, form: await open(row) })));
  const before = await entries();
  await registry.cutDatabase();
  const answers = await Promise.all(forms.map(({ form }) => send(registry, form)));
  await registry.restoreDatabase();
  await expect.poll(async () => (await fetch(`${registry.url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
  const heard = answers.map(({ status, headers }, place) => [forms[place]?.route, status, headers.has('retry-after')]);
  expect(heard).toEqual(forms.map(({ route }) => [route, 503, true]));
  expect(await entries()).toBe(before);
  for (const { route, is, form } of forms)
    expect([route, await answerTo(form)]).toEqual([route, expect.stringMatching(is)]);
}, 120_000);
