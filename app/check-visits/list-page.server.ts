// The trucks that are to be weighed again by somebody else than the person who asks: those of which a check visit is
// wanted, but not because of a visit that they recorded or corrected. The first to end comes first.
import { sql } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { listPage, type ListPage } from '#app/platform/database/list-page.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { neutralWords } from './check-visit.ts';

const PER_PAGE = 10;

/** How to find the truck: whose it is, what it looks like, where it was weighed. '': not known. */
export type WantedTruck = {
  rego: string;
  visitedOn: string;
  untilOn: string;
  company: string;
  truck: string;
  weighbridge: string;
};
export type CheckVisitsPage = { since: number; neutral: string; list: ListPage<WantedTruck> };

// What `personId` may be asked to weigh again.
const wantedOf = (personId: string, today: string) => sql`check_visit k
    join vehicle v on v.id = k.vehicle_id join visit t on t.id = k.visit_id left join actor a on a.id = t.technician_id
    where k.state = 'open' and k.until_on >= ${today}::date and v.deleted_at is null
      and a.person_id is distinct from ${personId}::uuid
      and not exists (select from calibration c join actor o on o.id = c.technician_id
        where c.vehicle_id = t.vehicle_id and c.visit_id = t.id and o.person_id = ${personId}::uuid)`;

/** Until when, of those among these vehicles, by their ids. */
export async function wantedAmong(
  db: Db,
  { personId, today }: { personId: string; today: string },
  vehicleIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; untilOn: string }>`select v.id, k.until_on
    from ${wantedOf(personId, today)} and v.id = any(${vehicleIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, untilOn }) => [id, untilOn]));
}

type Found = Omit<WantedTruck, 'truck'> & { make: string; model: string };

export async function checkVisitsPage(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  { personId }: Pick<SignedIn, 'personId'>,
  page: number,
): Promise<CheckVisitsPage> {
  const { since, policy } = await policyAndLogSize(db);
  const wanted = wantedOf(personId, todayIn(config.timeZone, now()));
  const count = async () => (await sql<{ n: number }>`select count(*) as n from ${wanted}`.execute(db)).rows[0]?.n ?? 0;
  const list = await listPage({ page, perPage: PER_PAGE }, count, async (limit, offset) => {
    const { rows } =
      await sql<Found>`select v.rego, t.visited_on, k.until_on, v.company_name as company, v.make, v.model,
        coalesce((select concat_ws(', ', r.name, r.place, r.state) from reference r where r.id = t.reference_id),
          (select s.weighbridge from calibration_set s where s.id = t.id), '') as weighbridge
      from ${wanted} order by k.until_on, v.rego limit ${limit} offset ${offset}`.execute(db);
    return rows.map(({ rego, visitedOn, untilOn, company, make, model, weighbridge }) => ({
      rego,
      visitedOn: formatDay(visitedOn, 'short'),
      untilOn: formatDay(untilOn, 'short'),
      company,
      truck: [make, model].filter((part) => part !== '').join(' '),
      weighbridge,
    }));
  });
  return { since, neutral: neutralWords(policy.checkVisitsPerMille), list };
}
