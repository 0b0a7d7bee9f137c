// Sixty regos as people type and paste them, at every place that takes a rego: each names its truck, or says why not.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { answerList } from '#app/check-list/answer-list.server.ts';
import { answerWords } from '#app/check-list/answer-words.ts';
import { fieldData } from '#app/field/field-data.server.ts';
import { namesOf } from '#app/following/followed-trucks.server.ts';
import { listLabels } from '#app/labels/list-labels.server.ts';
import { logFilter } from '#app/logs/log-filter.server.ts';
import { parseLogQuery } from '#app/logs/log-query.ts';
import { searchResults } from '#app/public-search/search-results.server.ts';
import { myVisitsPage } from '#app/recording/my-visits-page.server.ts';
import { recordedBy } from '#app/readings/recorded-by.server.ts';
import { planImport } from '#app/vehicle-import/plan-import.server.ts';
import { regoOf, regoOfForm } from '#app/vehicles/missing-vehicle.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { vehicleSchema } from '#app/vehicles/vehicle-entry.ts';
import { vehicleListPage } from '#app/vehicles/vehicle-list-page.server.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { queuePage } from '#app/visit-queue/queue-page.server.ts';
import { apiApp } from '#server/api.ts';
import { addSeen } from './people.ts';
import { createTestServices, type TestServices } from './services.ts';
import { NO_FILES, vehicleInput } from './vehicles.ts';
import { recordHonestSet } from './visits.ts';

const TODAY = '2026-11-21';
/** Each is the rego XV04KL. */
const PLAIN = [
  'XV04KL',
  'xv04kl',
  ' XV04KL ',
  '\tXV04KL\r\n',
  'XV 04 KL',
  'XV-04-KL',
  'XV.04.KL',
  'XV\u00a004\u00a0KL',
  'XV\u202f04KL',
  'XV\u200904KL',
  'XV\u200b04KL',
  '\u200eXV04KL\u200e',
  '\u202aXV04KL\u202c',
  '\u2066XV04KL\u2069',
  'XV\u00ad04KL',
  '\ufeffXV04KL',
  'XV04KL\ufe0f',
  'XV\u206004KL',
  'XV\u180e04KL',
  'XV\u034f04KL',
  'XV\u200d04\u200cKL',
  'ＸＶ０４ＫＬ',
  'ｘｖ－０４－ｋｌ',
  'XV\u300004KL',
  'XV\u201104\u2011KL',
  'XV\u201304KL',
  'XV\u221204KL',
  'XV\u061c04KL',
];
/** Each is XV04KL, read without NSW: nobody has the plate as typed. */
const WITH_STATE = [
  'XV04KL NSW',
  'NSW XV04KL',
  'xv04kl nsw',
  'XV-04-KL NSW',
  'NSW-XV04KL',
  'XV04KL-NSW',
  'XV04KL\u2013NSW',
  'XV04KL  NSW ',
  'NSW\u00a0XV04KL',
  'ＮＳＷ ＸＶ０４ＫＬ',
  'NSW\u200b XV04KL',
];
/** The same, and no plate as it is typed. */
const SET_OFF = [
  'XV04KL/NSW',
  'NSW/XV04KL',
  'XV04KL (NSW)',
  '(NSW) XV04KL',
  'XV04KL[NSW]',
  'NSW / xv 04 kl',
  '(XV04KL) NSW',
];
/** Each is a plate of its own, whatever it begins or ends with. */
const WHOLE = [
  ['ACT 123', 'ACT123'],
  ['ACT-123', 'ACT123'],
  ['act123', 'ACT123'],
  ['NSW', 'NSW'],
  ['XV04KL1', 'XV04KL1'],
] as const;
/** None is a rego, and none becomes another. */
const NONE = ['XV04Kß', 'ıV04KL', 'XV04KŁ', 'XV04Kſ', 'XV04K①', 'XV²4KL', 'ХV04KL', 'XV_04KL', 'XV04KL?'];

let services: TestServices;
let tech: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://registry.example' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  for (const rego of ['XV04KL', 'ACT123', '123', 'NSW', 'XV04KL1']) {
    const input = vehicleInput({ rego, vin: `6T9HZ8FM2PA${rego}`.slice(0, 17), axle_groups: 'STEER DRIVE' });
    await registerVehicle(services, admin, { input, choice: NO_FILES, key: undefined });
    await recordHonestSet(services, tech, rego);
  }
  await sql`update visit set state = 'waits'`.execute(services.db);
});
afterAll(() => services.stop());

const answerOf = async (text: string) => {
  for await (const [answer] of answerList(services.db, [{ number: 1, text, isHeading: false }], TODAY))
    if (answer !== undefined) return answer;
  throw new Error('no answer');
};
const rego404 = (thrown: unknown) =>
  thrown instanceof Response || typeof thrown === 'object' ? 'none' : String(thrown);
const page = { text: '', page: 1 };

/** What the text names there: a rego, regos, or 'none'. */
const PLACES: Record<string, (text: string) => Promise<string>> = {
  address: (text) => regoOf(services.db, text).catch(rego404),
  'address of a form': (text) => regoOfForm(services.db, text).catch(rego404),
  API: async (text) => {
    const answer = await apiApp(services).request(`/vehicles/${encodeURIComponent(text)}`);
    const body: { rego?: string } = await answer.json();
    return body.rego ?? 'none';
  },
  'readings of the API': async (text) => {
    const answer = await apiApp(services).request(`/vehicles/${encodeURIComponent(text)}/calibrations`);
    const body: { items?: { rego: string }[] } = await answer.json();
    return body.items?.[0]?.rego ?? 'none';
  },
  '/check': async (text) => {
    const answer = await answerOf(text);
    return answer.kind === 'found' ? answer.rego : 'none';
  },
  'a followed list': async (text) => {
    const answer = await answerOf(namesOf([{ number: 1, text, isHeading: false }]));
    return answer.kind === 'found' ? answer.rego : 'none';
  },
  'filter of the log': async (text) => {
    const filter = await logFilter(
      services.db,
      parseLogQuery(new URLSearchParams({ record: text })),
      'Australia/Sydney',
    );
    if (!filter.ok || filter.where === undefined) return 'none';
    const { rows } = await sql<{ rego: string }>`select distinct rego from activity_log
      where rego is not null and ${filter.where}`.execute(services.db);
    return rows.map(({ rego }) => rego).join() || 'none';
  },
  labels: async (text) => {
    const answer = await listLabels(services, new URLSearchParams({ rego: text }));
    return answer.state === 'found' ? answer.labels.map(({ rego }) => rego).join() : 'none';
  },
  'a list to import': async (text) => {
    const cells = { make: 'Volvo' };
    const [line] = await planImport(services, [{ line: 2, rego: text, cells }], { from: 0, to: 1 });
    return line?.kind === 'changed' ? line.rego : 'none';
  },
  '/field': async (text) => {
    const { trucks } = await fieldData(services, await addStranger(), [text]);
    return trucks.map(({ rego }) => rego).join() || 'none';
  },
};
let stranger: Promise<SignedIn> | undefined;
const addStranger = () => (stranger ??= addSeen(services, 'technician', 'ann@scales.example', 'Ann'));

/** Searches find what contains the text too, so only that the truck is found or offered is compared. */
const SEARCHES: Record<string, (text: string) => Promise<string[]>> = {
  search: async (text) => {
    const found = await searchResults(services, new URL(`https://x/search?${new URLSearchParams({ q: text })}`));
    if (found.kind === 'none') return found.near;
    return found.kind === 'found' ? found.rows.map(({ rego }) => rego) : [];
  },
  'search of the office': async (text) => {
    const url = new URL(`https://x/vehicles?${new URLSearchParams({ q: text })}`);
    const found = await vehicleListPage(services, url);
    return [...found.rows.map(({ rego }) => rego), ...found.near];
  },
  'search of the API': async (text) => {
    const answer = await apiApp(services).request(`/vehicles?${new URLSearchParams({ q: text })}`);
    const { items, did_you_mean: near }: { items: { rego: string }[]; did_you_mean: string[] } = await answer.json();
    return [...items.map(({ rego }) => rego), ...near];
  },
  'own visits': async (text) =>
    (await myVisitsPage(services, tech, { ...page, text, shown: 'all' })).list.items.map(({ rego }) => rego),
  'own readings': async (text) =>
    (await recordedBy(services, tech.personId, { page: 1, perPage: 50, text })).items.map(({ rego }) => rego),
  'visits to decide': async (text) => {
    const found = await queuePage(services, admin, { ...page, text, state: 'waits' });
    return found.list.items.map(({ rego }) => rego);
  },
};

test('there are sixty', () => {
  expect(PLAIN.length + WITH_STATE.length + SET_OFF.length + WHOLE.length + NONE.length).toBe(60);
});

test.each(Object.entries(PLACES))('%s', async (place, ask) => {
  const said: [string, string][] = [];
  for (const text of [...PLAIN, ...WITH_STATE, ...SET_OFF]) said.push([text, await ask(text)]);
  expect(said.filter(([, rego]) => rego !== 'XV04KL')).toEqual([]);
  for (const [text, rego] of WHOLE) expect([place, text, await ask(text)]).toEqual([place, text, rego]);
  for (const text of NONE) expect([place, text, await ask(text)]).toEqual([place, text, 'none']);
});

test.each(Object.entries(SEARCHES))('%s', async (_, find) => {
  const missed: string[] = [];
  for (const text of [...PLAIN, ...WITH_STATE, ...SET_OFF])
    if (!(await find(text)).includes('XV04KL')) missed.push(text);
  expect(missed).toEqual([]);
  for (const [text, rego] of WHOLE) expect(await find(text)).toContain(rego);
  expect(await find('ACT 123')).not.toContain('XV04KL');
});

test('a letter that no rego has finds nothing, and not what is left without it', async () => {
  for (const find of Object.values(SEARCHES)) expect(await find('XV04KLß')).toEqual([]);
});

test('/check says what was left out', async () => {
  for (const text of [...WITH_STATE, ...SET_OFF])
    expect(answerWords(await answerOf(text), String).before).toContain('XV04KL, read without NSW');
  for (const text of [...PLAIN, 'ACT 123'])
    expect(answerWords(await answerOf(text), String).before).not.toContain('read without');
});

test('a removed plate stays what was typed: nobody gets the verdict of another truck', async () => {
  await services.db.insertInto('vehicle').values({ rego: 'NT123', deletedAt: new Date() }).execute();
  expect(await answerOf('NT 123')).toMatchObject({ kind: 'not-found' });
  await expect(regoOf(services.db, 'NT 123')).resolves.toBe('NT123');
});

test('a new truck: a state is asked about, where it can be part of the plate', () => {
  const read = (rego: string) => vehicleSchema.safeParse({ rego });
  for (const rego of [...PLAIN, ...SET_OFF]) expect(read(rego).data?.rego).toBe('XV04KL');
  for (const rego of WITH_STATE)
    expect(read(rego).error?.issues[0]?.message).toBe(
      'Is NSW its state? Then enter XV04KL. If it is part of the plate, enter ' +
        `${rego.trim().toUpperCase().startsWith('X') || rego.startsWith('Ｘ') ? 'XV04KLNSW' : 'NSWXV04KL'} in one piece.`,
    );
  for (const rego of NONE) expect(read(rego).error?.issues[0]?.message).toContain('letters A to Z');
  expect(parseRego('NSWXV04KL')).toEqual({ ok: true, rego: 'NSWXV04KL' });
});

test('a list to import asks the same of a truck that is not here', async () => {
  const given = [{ line: 2, rego: 'NEW1 VIC', cells: {} }];
  const [line] = await planImport(services, given, { from: 0, to: 1 });
  expect(line).toMatchObject({ kind: 'refused', note: { why: expect.stringContaining('Is VIC its state?') } });
});
