// The readings of a vehicle in pages.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { enterLeaves } from '#test/leaves.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { apiApp } from './api.ts';

let services: TestServices;
let actor: number;
const REGO = 'MANY1';
const FIRST = Date.parse('2026-05-01T00:00:00Z');
const TOTAL = 230;

beforeAll(async () => {
  services = await createTestServices();
  const { db } = services;
  actor = await db.transaction().execute((tx) => findOrAddActor(tx, { name: 'Jo Nguyen', email: 'jo@scales.example' }));
  const { id: vehicleId } = await db
    .insertInto('vehicle')
    .values({ rego: REGO })
    .returning('id')
    .executeTakeFirstOrThrow();
  const readings = Array.from({ length: TOTAL }, (_, nth) => ({
    rego: REGO,
    id: FIRST + nth,
    vehicleId,
    axle: 'DRIVE' as const,
    attribute: 'Empty Volt' as const,
    value: String(nth),
    calibratedAt: new Date(FIRST + nth),
    technicianId: actor,
  }));
  await db.insertInto('calibration').values(readings).execute();
  await enterLeaves(db);
});
afterAll(() => services.stop());

const bodySchema = z.object({
  items: z.array(z.object({ id: z.number(), calibration_value: z.string(), matches_log: z.boolean() })),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
  missing: z.array(z.number()),
});
async function ask(query = '') {
  const response = await apiApp(services).request(`/vehicles/${REGO}/calibrations${query}`);
  return { link: response.headers.get('link'), ...bodySchema.parse(await response.json()) };
}
const alter = (statement: ReturnType<typeof sql>) =>
  services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await statement.execute(tx);
  });
const differing = ({ items }: { items: { id: number; matches_log: boolean }[] }) =>
  items.flatMap(({ id, matches_log }) => (matches_log ? [] : [id - FIRST]));

test('who asks for no page has the newest hundred, and is told of the others', async () => {
  const { items, link, ...rest } = await ask();
  expect(rest).toEqual({ page: 1, pages: 3, total: TOTAL, missing: [] });
  expect([items.length, items[0]?.id, items.at(-1)?.id]).toEqual([100, FIRST + 229, FIRST + 130]);
  expect(link).toBe(
    `</vehicles/${REGO}/calibrations?page=1>; rel="first", </vehicles/${REGO}/calibrations?page=2>; rel="next", </vehicles/${REGO}/calibrations?page=3>; rel="last"`,
  );
});

test('the pages are all readings, each once; beyond the last it is the last', async () => {
  const pages = [await ask('?page=1'), await ask('?page=2'), await ask('?page=3')];
  expect(pages.flatMap(({ items }) => items.map(({ id }) => id - FIRST))).toEqual(
    Array.from({ length: TOTAL }, (_, nth) => TOTAL - 1 - nth),
  );
  expect(pages.map(({ link }) => [...(link ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel))).toEqual([
    ['first', 'next', 'last'],
    ['first', 'prev', 'next', 'last'],
    ['first', 'prev', 'last'],
  ]);
  expect((await ask('?page=99')).page).toBe(3);
  for (const page of ['0', '-1', '1.5', 'x', ''])
    expect((await apiApp(services).request(`/vehicles/${REGO}/calibrations?page=${page}`)).status).toBe(400);
});

test('what was altered differs on its page, and on no other', async () => {
  await alter(sql`update calibration set value = '7' where id = ${FIRST + 120}`);
  expect([await ask('?page=1'), await ask('?page=2'), await ask('?page=3')].map(differing)).toEqual([[], [120], []]);
  await alter(sql`update calibration set value = '120' where id = ${FIRST + 120}`);
  expect(differing(await ask('?page=2'))).toEqual([]);
  // The log has the technician's name beside the reading.
  await alter(sql`update actor set name = 'Another' where id = ${actor}`);
  expect(differing(await ask('?page=3'))).toHaveLength(30);
  await alter(sql`update actor set name = 'Jo Nguyen' where id = ${actor}`);
  expect(differing(await ask('?page=3'))).toEqual([]);
});

test('what was removed is missing on the page where it stood', async () => {
  const gone = [229, 180, 129, 30, 0];
  await alter(sql`delete from calibration where id = any(${gone.map((nth) => FIRST + nth)}::bigint[])`);
  const pages = [await ask('?page=1'), await ask('?page=2'), await ask('?page=3')];
  expect(pages.map(({ missing }) => missing.map((id) => id - FIRST))).toEqual([[229, 180, 129], [30], [0]]);
  expect(pages.map(({ total }) => total)).toEqual([TOTAL - 5, TOTAL - 5, TOTAL - 5]);
});
