// Who calibrated, in public: so that two people of one name can be told apart. Name, company, since when, and how many
// visits in which state; nothing else of a person. Only who is named as a recorder has such a page, while the registry
// knows who they are.
import { sql } from 'kysely';
import { stateWord, VISIT_STATES } from '#app/visits/visit.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { addDays, formatDay, todayIn } from '#app/platform/time/calendar.ts';

const YEAR_DAYS = 365;
const OTHERS_MAX = 10;

/** One time in which somebody was a technician or an admin. */
type Admission = {
  name: string | null;
  company: string;
  isAdmin: boolean;
  addedAt: Date | null;
  deletedAt: Date | null;
};
const HAS_RECORDED = sql`exists (select from calibration c where c.technician_id = a.id)`;

/** Undefined: there is no such page. */
export async function publicTechnician({ db, config, now }: Pick<Services, 'db' | 'config' | 'now'>, personId: string) {
  if (!isUuid(personId)) return undefined;
  const { rows } = await sql<Admission>`
    select r.*, (select a.name from actor a where a.person_id = p.id and ${HAS_RECORDED} order by a.id desc limit 1) as name
    from person p join (
      select person_id, company_name as company, false as is_admin, added_at, deleted_at from technician
      union all select person_id, '', true, added_at, deleted_at from admin) r on r.person_id = p.id
    where p.id = ${personId}::uuid and p.email is not null order by is_admin, deleted_at desc nulls first`.execute(db);
  const [last] = rows;
  if (last === undefined || last.name === null) return undefined;
  const { name, company, isAdmin, deletedAt } = last;
  const dayOf = (at: Date) => formatDay(todayIn(config.timeZone, at));
  const [added] = rows
    .flatMap(({ addedAt }) => addedAt ?? [])
    .toSorted((one, other) => one.getTime() - other.getTime());
  const isRemoved = rows.every((row) => row.deletedAt !== null);
  const today = todayIn(config.timeZone, now());
  const visits = await visitsOf(db, personId, addDays(today, -YEAR_DAYS));
  return {
    name: nameOf(name),
    company,
    facts: [
      { label: isAdmin ? 'Administrator since' : 'Admitted', value: added === undefined ? 'Not known' : dayOf(added) },
      ...(isRemoved && deletedAt !== null ? [{ label: 'Removed from this registry', value: dayOf(deletedAt) }] : []),
    ],
    // By the day of the visit, within `span`.
    visits,
    total: visits.reduce((sum, { count }) => sum + count, 0),
    span: `12 months to ${formatDay(today)}`,
    // Other people of this name.
    others: await othersNamed(db, name, personId),
  };
}

// An address is no name for everybody to read.
const nameOf = (name: string): string => (name === '' || name.includes('@') ? 'Name not given' : name);

// One that is open has no state yet. What was taken over stands there only where it is.
async function visitsOf(db: Services['db'], personId: string, after: string) {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from visit
    where technician_id in (select id from actor where person_id = ${personId}::uuid)
      and visited_on > ${after}::date and state <> 'open' group by state`.execute(db);
  return VISIT_STATES.flatMap(({ state }) => {
    const count = rows.find((row) => row.state === state)?.count ?? 0;
    return state === 'open' || (state === 'taken-over' && count === 0) ? [] : [{ word: stateWord(state), count }];
  });
}

async function othersNamed(db: Services['db'], name: string, personId: string) {
  const { rows } = await sql<{ personId: string; company: string }>`
    select distinct on (t.person_id) t.person_id, t.company_name as company
    from actor a join person p on p.id = a.person_id join technician t on t.person_id = p.id
    where lower(a.name) = lower(${name}) and p.id <> ${personId}::uuid and p.email is not null and ${HAS_RECORDED}
    order by t.person_id, t.deleted_at desc nulls first limit ${OTHERS_MAX}`.execute(db);
  return rows.map((other) => ({ ...other, company: other.company === '' ? 'no company named' : other.company }));
}
