import { afterAll, beforeAll, expect, test } from 'vitest';
import { instantOfDay, todayIn } from '#app/platform/time/calendar.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { ACTIVITY_KINDS, type ActivityKind } from '#app/activity-log/activity.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { exportLines } from './export-activities.server.ts';
import { logPage } from './log-page.server.ts';
import { parseLogQuery } from './log-query.ts';

// Clocks go forward on 4 October 2026 in Sydney: that day has 23 hours.
const ZONE = 'Australia/Sydney';
const KINDS: readonly ActivityKind[] = ACTIVITY_KINDS.flatMap(({ kinds }) => kinds);
const MANY = 1_240;

type Known = {
  index: number;
  kind: string;
  name: string;
  email: string;
  occurredAt: Date;
  rego: string;
  address: string;
};

let services: TestServices;
let known: Known[];
beforeAll(async () => {
  services = await createTestServices({ REGISTRY_TIME_ZONE: ZONE });
  known = await fill();
});
afterAll(() => services.stop());

// Adds entries by six people and by no person, about a few regos and addresses. The times of imported entries are in no
// order; many are equal, and some are exactly at the boundary of a day.
async function fill(): Promise<Known[]> {
  const { db } = services;
  let seed = 7;
  const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
  const names = [
    { name: 'Mia Kowalski', email: 'mia@registry.example' },
    { name: 'Mia Nguyen', email: 'mia@registry.example' },
    { name: 'jo@yard.example', email: 'jo@yard.example' },
    { name: 'ÉMILE 100%', email: 'emile_x@yard.example' },
    { name: 'Old Name', email: '' },
  ];
  const regos = ['XV27BD', 'XV27B', 'ABC123', ''];
  const edges = ['2026-10-03', '2026-10-04', '2026-10-05'].map((day) => instantOfDay(day, ZONE).getTime());
  return db.transaction().execute(async (tx) => {
    const actors: number[] = [];
    for (const naming of names) actors.push(await findOrAddActor(tx, naming));
    const { personId } = await tx
      .selectFrom('actor')
      .select('personId')
      .where('id', '=', actors[0] ?? 0)
      .executeTakeFirstOrThrow();
    const { id: admin } = await tx
      .insertInto('admin')
      .values({ personId, email: 'mia@registry.example' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: application } = await tx
      .insertInto('application')
      .values({ email: 'jo@yard.example' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const made = Array.from({ length: MANY }, (_, place) => {
      const by = random(names.length + 1);
      const rego = regos[random(regos.length)] ?? '';
      const about = rego === '' ? random(4) : -1;
      const edge = edges[random(edges.length)] ?? 0;
      const occurredAt = place % 5 === 0 ? new Date(edge - random(2)) : new Date(edge + (random(40) - 20) * 3_600_000);
      const kind = KINDS[random(KINDS.length)] ?? 'record.changed';
      const naming = names[by];
      const entry: ActivityEntry = {
        kind,
        actorId: actors[by] ?? null,
        origin: 'imported',
        occurredAt,
        ...(rego === '' ? {} : { rego, subject: 'vehicle', subjectId: 'some-id', details: `${rego} touched` }),
        ...(about === 0 ? { subject: 'admin', subjectId: admin } : {}),
        ...(about === 1 ? { subject: 'application', subjectId: application } : {}),
        ...(about === 2 ? { action: 'Profile updated', details: 'Mia@registry,example updated' } : {}),
      };
      const address = ['mia@registry.example', 'jo@yard.example', 'mia@registry.example'][about] ?? '';
      return {
        entry,
        facts: { kind, name: naming?.name ?? '', email: naming?.email ?? '', occurredAt, rego, address },
      };
    });
    const first = await appendActivities(
      tx,
      made.map(({ entry }) => entry),
    );
    return made.map(({ facts }, place) => ({ index: first + place, ...facts }));
  });
}

type Asked = Partial<Record<'who' | 'kind' | 'record' | 'from' | 'to' | 'page', string>>;

const page = (asked: Asked) => logPage(services, new URL(`http://x.invalid/logs?${new URLSearchParams(asked)}`));

// A second implementation of the filters, to compare with.
function expected({ who = '', kind = '', record = '', from = '', to = '' }: Asked): number[] {
  const text = who.toLowerCase();
  return known
    .filter((entry) => kind === '' || entry.kind === kind)
    .filter(
      ({ name, email }) =>
        text === '' ||
        (name === ''
          ? 'the registry'.includes(text)
          : name.toLowerCase().includes(text) || email.includes(text.replaceAll(',', '.'))),
    )
    .filter(
      ({ rego, address }) =>
        record === '' || (record.includes('@') ? address === record.toLowerCase() : rego === record.toUpperCase()),
    )
    .filter(({ occurredAt }) => {
      const day = todayIn(ZONE, occurredAt);
      return (from === '' || day >= from) && (to === '' || day <= to);
    })
    .toSorted((a, b) => b.occurredAt.getTime() - a.occurredAt.getTime() || b.index - a.index)
    .map(({ index }) => index);
}

async function everyPage(asked: Asked): Promise<number[]> {
  const found: number[] = [];
  for (let number = 1, pages = 1; number <= pages; number += 1) {
    const answer = await page({ ...asked, page: String(number) });
    expect([answer.query.page, answer.errors]).toEqual([number, {}]);
    expect(answer.rows.length).toBeLessThanOrEqual(20);
    pages = answer.pages;
    found.push(...answer.rows.map(({ index }) => index));
    expect(answer.total).toBe(expected(asked).length);
  }
  return found;
}

test('all pages together hold every entry once, the latest first', async () => {
  const found = await everyPage({});
  expect(found).toHaveLength(MANY);
  expect(found).toEqual(expected({}));
});

test('each filter, and all together, find what a plain reading finds', async () => {
  const whos = ['', 'mia', 'KOWALSKI', 'émile', '100%', '_x', '%', 'YARD,example', 'registry', 'nobody at all'];
  const records = ['', 'xv27bd', 'XV27B', 'abc123', 'mia@registry.example', 'JO@yard.example', 'NONE1', 'a@b.example'];
  const spans: Asked[] = [
    {},
    { from: '2026-10-04' },
    { to: '2026-10-04' },
    { from: '2026-10-04', to: '2026-10-04' },
    { from: '2026-10-03', to: '2026-10-04' },
    { from: '2027-01-01' },
  ];
  let seen = 0;
  for (const who of whos)
    for (const record of records)
      for (const [place, span] of spans.entries()) {
        const asked = {
          who,
          record,
          ...span,
          ...((place + seen) % 3 === 0 ? { kind: KINDS[seen % KINDS.length] ?? '' } : {}),
        };
        const { rows, total } = await page(asked);
        expect([asked, total, rows.map(({ index }) => index)]).toEqual([
          asked,
          expected(asked).length,
          expected(asked).slice(0, 20),
        ]);
        seen += 1;
      }
  for (const kind of KINDS) expect(await everyPage({ kind })).toEqual(expected({ kind }));
  expect(await everyPage({ who: 'mia', from: '2026-10-04' })).toEqual(expected({ who: 'mia', from: '2026-10-04' }));
});

test('a page beyond the last is the last', async () => {
  const { query, pages, rows } = await page({ page: '9999' });
  expect([query.page, pages]).toEqual([62, 62]);
  expect(rows.map(({ index }) => index)).toEqual(expected({}).slice(-20));
});

test('the file has the same entries in the same order, in blocks, whatever page is shown', async () => {
  for (const asked of [{}, { who: 'mia', page: '3' }, { record: 'XV27BD', from: '2026-10-04' }, { who: 'nobody' }]) {
    const blocks: string[] = [];
    for await (const block of exportLines(services, parseLogQuery(new URLSearchParams(asked)))) blocks.push(block);
    const lines = blocks.join('').split('\r\n').slice(1, -1);
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(expected(asked));
    expect(blocks).toHaveLength(1 + Math.ceil(expected(asked).length / 500));
  }
});

test('an entry that comes while the file is read is not in it, and shifts nothing', async () => {
  const lines = exportLines(services, parseLogQuery(new URLSearchParams()));
  const blocks = [await lines.next(), await lines.next()];
  const { db } = services;
  const added = await db.transaction().execute((tx) =>
    appendActivities(tx, [
      { kind: 'vehicle.added', actorId: null },
      {
        kind: 'vehicle.added',
        actorId: null,
        origin: 'imported',
        occurredAt: new Date('2001-01-01T00:00:00Z'),
      },
    ]),
  );
  for await (const block of lines) blocks.push({ done: false, value: block });
  const indexes = blocks
    .map(({ value }) => value ?? '')
    .join('')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => Number(line.split(',')[0]));
  expect(indexes).toEqual(expected({}));
  const { rows } = await page({});
  expect(rows[0]).toMatchObject({ index: added, name: 'The registry', words: 'Vehicle added', imported: false });
});

test('what is wrong is said at its field, and nothing is searched', async () => {
  for (const [asked, errors] of [
    [{ from: '2026-02-30' }, { from: '“2026-02-30” is not a day. Write it as 2026-11-21.' }],
    [{ to: '21/11/2026' }, { to: '“21/11/2026” is not a day. Write it as 2026-11-21.' }],
    [
      { from: '2026-10-05', to: '2026-10-04' },
      { to: '4 October 2026 is before 5 October 2026. Choose a later last day.' },
    ],
    [{ record: '!!!' }, { record: 'A rego has only letters A to Z and digits 0 to 9. Or give a whole email address.' }],
    [{ record: '- -' }, { record: 'A rego is required: letters A to Z and digits. Or give a whole email address.' }],
  ] satisfies [Asked, Record<string, string>][]) {
    expect(await page(asked)).toMatchObject({ errors, rows: [], total: 0, pages: 1 });
    const blocks: string[] = [];
    for await (const block of exportLines(services, parseLogQuery(new URLSearchParams(asked)))) blocks.push(block);
    expect(blocks).toHaveLength(1);
  }
  expect((await page({ from: '2026-10-04', to: '2026-10-04' })).errors).toEqual({});
});
