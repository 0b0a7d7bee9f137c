// Makes every kind of write once, and compares every page of every role and every cached answer before and after. What
// changed was notified: the page subscribes to a topic of the write, the cached answer was dropped.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { may, type Role } from '#app/access/permissions.ts';
import { topicPermission } from '#app/access/topic-permission.server.ts';
import { ACTIVITY_KINDS, type ActivityKind } from '#app/activity-log/activity.ts';
import { isTopic } from '#server/live.ts';
import { API_PREFIX } from '#test/fuzz/routes.ts';
import { readAll, readCached, type Reads } from './pages.ts';
import { startWorld, type World } from './world.ts';
import { MORE_WRITES, WRITES } from './writes.ts';

// A form stays as it was opened: what was changed meanwhile is met when it is sent.
const FORM = 'a form';
const DELETION = 'a question, asked again when it is answered';

/** Pages that subscribe to nothing although they change, and why. */
const STAYING: Readonly<Record<string, string>> = {
  '/log/entries/:index': 'an entry never changes; beside it is the size that the log had when it was asked for',
  '/log/witnesses': 'it says how old it is; witnesses answer by themselves, and no write waits for them',
  '/reports/counts': 'counts of whole years: nobody waits for them',
  '/settings/jobs': 'it says when each job last ran; jobs run by themselves',
  '/vehicles/follow/:rego': FORM,
  '/vehicles/plate/:rego': FORM,
  '/vehicles/validate/:rego': FORM,
  '/vehicles/calibrate/:rego': FORM,
  '/calibrations/correct/:rego/:id': FORM,
  '/profile/update': FORM,
  '/settings/second-factor': FORM,
  '/settings/tell': FORM,
  '/vehicles/delete/:rego': DELETION,
  '/admins/delete/:id': DELETION,
  '/admins/erase/:id': DELETION,
  '/applications/delete/:id': DELETION,
  '/technicians/delete/:id': DELETION,
  '/technicians/suspend/:id': FORM,
  '/technicians/reinstate/:id': FORM,
  '/technicians/licence/:id': FORM,
  '/technicians/erase/:id': DELETION,
};

const PUBLISHED_WITHIN_MS = 60_000;
const SWEEPS_MS = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 600_000);
afterAll(() => world.stop());

async function entriesFrom(size: number) {
  const { db } = world.registry;
  return db.selectFrom('activityLog').select(['kind', 'topics']).where('index', '>=', size).execute();
}

const logSize = async () =>
  (await world.registry.db.selectFrom('activityState').selectAll().executeTakeFirstOrThrow()).size;

/** Until the server has followed the log and published what was recorded. */
async function settle(): Promise<void> {
  const { url, db } = world.registry;
  // An answer to a form waits until what it did is followed.
  await fetch(`${url}/no/such/page`, { method: 'POST', headers: { origin: url } });
  const { leafSize } = await db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  await expect
    .poll(async () => (await (await fetch(`${url}/log/1/checkpoint`)).text()).split('\n')[1], {
      timeout: PUBLISHED_WITHIN_MS,
      interval: 100,
    })
    .toBe(String(leafSize));
}

type Compared = { missed: string[]; needless: string[] };

function compare(before: Reads, after: Reads, topics: ReadonlySet<string>): Compared {
  const missed: string[] = [];
  const needless: string[] = [];
  for (const [key, page] of before) {
    const now = after.get(key);
    // What is not there has nobody who waits for it to come.
    if (page.status !== 200 || page.pattern === API_PREFIX) continue;
    const isNotified = page.topics.some((topic) => topics.has(topic));
    const isChanged = now?.status !== page.status || now.text !== page.text;
    if (isChanged && !isNotified && STAYING[page.pattern] === undefined)
      missed.push(`${key}${differenceOf(page.text, now?.text)}`);
    if (!isChanged && isNotified) needless.push(key);
  }
  return { missed, needless };
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The pages of each set of roles that sees them, in a line. */
function linesOf(write: string, keys: readonly string[]): string[] {
  const pages = new Map<string, Set<string>>();
  for (const key of keys) {
    const [role = '', path = ''] = key
      .replaceAll(UUID, '{id}')
      .replaceAll(/\d{13}/g, '{reading}')
      .split(' ');
    pages.set(path, (pages.get(path) ?? new Set()).add(role));
  }
  const byRoles = Map.groupBy(pages.keys(), (path) => [...(pages.get(path) ?? [])].toSorted().join(', '));
  return [...byRoles].map(([roles, paths]) => `${write} (${roles}): ${paths.toSorted().join(' ')}`);
}

/** Where they part. */
function differenceOf(before: string, after: string | undefined): string {
  if (after === undefined) return ': gone';
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return `: ${JSON.stringify(before.slice(Math.max(0, at - 60), at + 40))} → ${JSON.stringify(after.slice(at, at + 40))}`;
}

const ALL: readonly (readonly [ActivityKind, string, (world: World) => Promise<unknown>])[] = [
  ...ACTIVITY_KINDS.flatMap(({ kinds }) => kinds)
    .toSorted((a, b) => Object.keys(WRITES).indexOf(a) - Object.keys(WRITES).indexOf(b))
    .map((kind) => [kind, '', WRITES[kind]] as const),
  ...MORE_WRITES,
];

test(
  'no write changes a page that is not notified, or leaves an old answer in the cache',
  { timeout: SWEEPS_MS },
  async () => {
    await settle();
    let before = await readAll(world);
    expect(before.size).toBeGreaterThan(100);
    const wrong: string[] = [];
    const needless: string[] = [];
    // Nothing changes by itself.
    wrong.push(...compare(before, await readAll(world), new Set()).missed.map((page) => `before any write: ${page}`));
    await readCached(world);
    for (const [kind, how, write] of ALL) {
      const name = how === '' ? kind : `${kind} (${how})`;
      const size = await logSize();
      const answer = await write(world);
      const entries = await entriesFrom(size);
      if (!entries.some((entry) => entry.kind === kind))
        wrong.push(`${name} was not written: ${JSON.stringify(answer)}`);
      await settle();
      const after = await readAll(world);
      for (const [key, { text }] of await readCached(world))
        if (text !== after.get(key)?.text) wrong.push(`${name}: the cache has an old answer to ${key}`);
      const topics = new Set(entries.flatMap((entry) => entry.topics));
      const compared = compare(before, after, topics);
      wrong.push(...compared.missed.map((page) => `${name}: ${page}`));
      needless.push(...linesOf(name, compared.needless));
      before = after;
    }
    expect(wrong).toEqual([]);
    await expect(`${needless.toSorted().join('\n')}\n`).toMatchFileSnapshot('needless-reloads.txt');
  },
);

test('every page may be notified of the topics that it subscribes to', async () => {
  const persons: Record<string, string> = {};
  for (const account of [world.admin, world.technician])
    persons[account === world.admin ? 'admin' : 'technician'] = (await world.whoOf(account)).personId;
  const isRole = (text: string): text is Role => ['public', 'technician', 'admin'].includes(text);
  const wrong = [...(await readAll(world))].flatMap(([key, { pattern, topics }]) => {
    const [role = ''] = key.split(' ');
    if (STAYING[pattern] !== undefined && topics.length > 0) return [`${key} subscribes after all`];
    return topics
      .filter((topic) => !isTopic(topic) || !isRole(role) || !may(role, topicPermission(topic, persons[role])))
      .map((topic) => `${key}: ${topic}`);
  });
  expect(wrong).toEqual([]);
});
