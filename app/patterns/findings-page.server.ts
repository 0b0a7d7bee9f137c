// The work list: what patterns found, the oldest first of what is open.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { holdsName } from '#app/platform/database/name-search.server.ts';
import { listPage } from '#app/platform/database/list-page.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import type { ListAddress } from '#app/ui/list-address.ts';
import type { StoredFinding } from './decide-finding.server.ts';
import { outcomeOf, type ListedFindings } from './finding.ts';
import { METHOD_VERSION } from './method.ts';
import { chanceWords, numberWords, patternName } from './present-finding.ts';

const PER_PAGE = 20;

export async function findingsPage({ db }: Pick<Services, 'db'>, state: ListedFindings, { text, page }: ListAddress) {
  const since = await logSize(db);
  const fits = text === '' ? sql`true` : holdsName(NAME, text);
  const from = sql`pattern_finding f where f.state = ${state} and ${fits}`;
  const count = async () => (await sql<{ n: number }>`select count(*) as n from ${from}`.execute(db)).rows[0]?.n ?? 0;
  const order = state === 'decided' ? sql`desc` : sql`asc`;
  const list = await listPage({ page, perPage: PER_PAGE }, count, async (limit, offset) => {
    const { rows } =
      await sql<Found>`select f.id, f.pattern, f.n, f.hits, f.p, f.found_on, f.outcome, ${NAME} as technician
      from ${from} order by f.found_at ${order}, f.p, f.id limit ${limit} offset ${offset}`.execute(db);
    return rows.map(presentRow);
  });
  // The last look at the whole.
  const looked = await db
    .selectFrom('patternLook')
    .select(['night', 'visits', 'tests'])
    .orderBy('night', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    since,
    state,
    list,
    counts: await counts(db),
    methodVersion: METHOD_VERSION,
    looked: looked === undefined ? null : { ...looked, night: formatDay(looked.night) },
  };
}

/** The newest name of a finding's person. */
export const NAME = sql<string>`coalesce((select a.name from actor a where a.person_id = f.person_id order by a.id desc limit 1),
  'Erased person')`;

type Found = Pick<StoredFinding, 'id' | 'pattern' | 'n' | 'hits' | 'p' | 'foundOn' | 'outcome'> & {
  technician: string;
};

const presentRow = ({ id, pattern, n, hits, p, foundOn, outcome, technician }: Found) => ({
  id,
  name: patternName(pattern),
  technician,
  found: formatDay(foundOn, 'short'),
  // How many cases it rests on, and how likely that is without anything behind it.
  numbers: `${numberWords({ n, hits })}, ${chanceWords(p)}`,
  outcome: outcomeOf(outcome)?.words ?? '',
});

async function counts(db: Db): Promise<Record<ListedFindings, number>> {
  const rows = await db
    .selectFrom('patternFinding')
    .select(['state', ({ fn }) => fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute();
  const of = (state: ListedFindings) => rows.find((row) => row.state === state)?.n ?? 0;
  return { open: of('open'), asked: of('asked'), decided: of('decided') };
}
