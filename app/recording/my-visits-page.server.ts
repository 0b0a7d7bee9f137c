// The visits of the signed-in person by the day of the visit, the newest first, with what became of each.
import { sql, type RawBuilder } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { listPage } from '#app/platform/database/list-page.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import type { ListAddress } from '#app/ui/list-address.ts';
import { findVehicleById } from '#app/vehicles/queries.server.ts';
import { holdsRego } from '#app/vehicles/verdict-sql.server.ts';
import type { MyList } from './my-visits-filter.ts';
import { outcomeOfVisit, presentOpen } from './own-visit.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { newestFirst } from '#app/transparency-log/ruling-visit.server.ts';
import { stateWord, type VisitState } from '#app/visits/visit.ts';
import { listedWords, previewWords } from '#app/visits/visit-outcome.ts';
import { findVisit } from '#app/visits/visit-queries.server.ts';

const PER_PAGE = 10;

export type MyVisit = Awaited<ReturnType<typeof present>>;
export async function myVisitsPage(
  services: Pick<Services, 'db' | 'config'>,
  { personId }: Pick<SignedIn, 'personId'>,
  { shown, text, page }: { shown: MyList } & ListAddress,
) {
  const { db, config } = services;
  const { policy, since } = await policyAndLogSize(db);
  const rules = { policy, zone: config.timeZone };
  const fits = holdsRego(sql`ve.rego`, text);
  const { rows: states } = await sql<{ state: VisitState; n: number; found: number }>`
    select v.state, count(*) as n, count(*) filter (where ${fits}) as found
    from ${visitsBy(personId)} group by v.state`.execute(db);
  const sum = (of: MyList, what: 'n' | 'found') =>
    states.reduce((total, row) => (of === 'all' || row.state === of ? total + row[what] : total), 0);
  const list = await listPage(
    { page, perPage: PER_PAGE },
    async () => sum(shown, 'found'),
    async (limit, offset) => {
      const { rows } = await sql<{ id: string; rego: string }>`select v.id, ve.rego from ${visitsBy(personId)}
        and ${fits} and ${shown === 'all' ? sql`true` : sql`v.state = ${sql.lit(shown)}`}
        order by ${newestFirst('v')} limit ${limit} offset ${offset}`.execute(db);
      return Promise.all(rows.map(({ id, rego }) => present(db, id, { rego, rules })));
    },
  );
  return {
    since,
    personId,
    asked: { text, page: list.page },
    shown,
    list,
    counts: {
      all: sum('all', 'n'),
      open: sum('open', 'n'),
      waits: sum('waits', 'n'),
      partial: sum('partial', 'n'),
      'set-aside': sum('set-aside', 'n'),
    },
    finishKey: newIdempotencyKey(),
  };
}

// Under any of the person's names.
const visitsBy = (personId: string): RawBuilder<unknown> => sql`visit v join vehicle ve on ve.id = v.vehicle_id
  where v.technician_id in (select a.id from actor a where a.person_id = ${personId}::uuid)`;

// `words`: what became of it, or how far it has come. `ifFinished`: what follows then; null for a closed one.
async function present(
  db: Services['db'],
  id: string,
  { rego, rules }: { rego: string; rules: Parameters<typeof presentOpen>[2]['rules'] },
) {
  const visit = await findVisit(db, id);
  const vehicle = visit === undefined ? undefined : await findVehicleById(db, visit.vehicleId);
  if (visit === undefined || vehicle === undefined) throw new Error(`there is no visit ${id}`);
  const { state } = visit;
  const row = { id, rego, day: formatDay(visit.visitedOn, 'short'), state, word: stateWord(state) };
  if (state !== 'open') return { ...row, words: listedWords(await outcomeOfVisit(db, visit)), ifFinished: null };
  const open = await presentOpen(db, vehicle, { visit, readings: await listCalibrations(db, vehicle.id), rules });
  const { lead, rest } = previewWords(open.ifFinished, 'If you finish now, it');
  return { ...row, words: open.words, ifFinished: vehicle.deletedAt === null ? `${lead} ${rest}` : null };
}
