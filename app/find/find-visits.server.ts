// Visits by the truck's plate, and by their tickets. Who may not read everybody's finds their own, in their own list.
import { sql, type RawBuilder } from 'kysely';
import { href } from 'react-router';
import { may } from '#app/access/permissions.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { listAddress } from '#app/ui/list-address.ts';
import { hasText } from '#app/vehicles/plates.server.ts';
import { normaliseSearch } from '#app/vehicles/vehicle.ts';
import { VISITS_WITH_TICKET } from '#app/visits/tickets.server.ts';
import { stateWord, type VisitState } from '#app/visits/visit.ts';
import { joined, ROWS_MAX, type Asked, type Found, type FoundRow } from './source.server.ts';

/** Of tickets that begin with so many characters, and of one's own visits. */
const [BEGUN_MIN, BEGUN_MAX, OWN_MAX] = [3, 100, 5000];
type Row = { id: string; rego: string; visitedOn: string; state: VisitState; technician: string | null };
type Ticket = { ticket: string; place: string };

export async function findVisits(asked: Asked): Promise<Found> {
  const { text, who } = asked;
  // No plate has a blank.
  const hasPlate = hasText(sql`ve.rego`, sql`${normaliseSearch(text) || ' '}`);
  const from = sql`(select '' as ticket, '' as place) t cross join vehicle ve join visit v on v.vehicle_id = ve.id and ${hasPlate}`;
  const rows = await select(asked, from, ({ rego, visitedOn, state, technician }) => ({
    title: `Visit of ${formatDay(visitedOn)}`,
    detail: joined(rego, technician ?? 'N/A', stateWord(state)),
    isExact: false,
  }));
  return { rows, all: listAddress(may(who.role, 'read visits') ? '/visits' : '/my-visits', { text, page: 1 }) };
}

export async function findTickets(asked: Asked): Promise<Found> {
  const { text, who } = asked;
  const own = sql`and id in (select v.id from visit v join actor a on a.id = v.technician_id
    where a.person_id = ${who.personId}::uuid order by v.opened_at desc limit ${OWN_MAX})`;
  const whose = may(who.role, 'read visits') ? sql`` : own;
  const begins = text.length < BEGUN_MIN ? [] : [...new Set([text, text.toUpperCase()])];
  const parts = begins.map(
    (typed) => sql` union (select id, ticket_number, weighbridge from calibration_set where ticket_number <> '' ${whose}
      and ticket_number like ${`${typed.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} limit ${BEGUN_MAX})`,
  );
  const from = sql`(select w.id, own.ticket, w.place from (select ${text}::text as ticket) own
      cross join lateral ${VISITS_WITH_TICKET} w ${sql.join(parts, sql` `)}) t
    join visit v on v.id = t.id join vehicle ve on ve.id = v.vehicle_id`;
  const rows = await select(asked, from, ({ ticket, place, visitedOn, rego }) => ({
    title: ticket,
    detail: joined(place, formatDay(visitedOn), rego),
    isExact: ticket.toLowerCase() === text.toLowerCase(),
  }));
  return { rows };
}

// Those that have a page, the newest first.
async function select(
  { services: { db }, who }: Asked,
  from: RawBuilder<unknown>,
  words: (row: Row & Ticket) => Omit<FoundRow, 'href'>,
): Promise<FoundRow[]> {
  const readsAll = may(who.role, 'read visits');
  const { rows } = await sql<Row & Ticket>`
    select v.id, ve.rego, v.visited_on, v.state, a.name as technician, t.ticket, t.place
    from ${from} left join actor a on a.id = v.technician_id where v.state <> 'taken-over' and ve.deleted_at is null
      and ${readsAll ? sql`true` : sql`a.person_id = ${who.personId}::uuid`}
    order by v.visited_on desc, v.opened_at desc, v.id limit ${ROWS_MAX}`.execute(db);
  return rows.map((row) => ({
    ...words(row),
    href: readsAll ? href('/visits/:id', { id: row.id }) : listAddress('/my-visits', { text: row.rego, page: 1 }),
  }));
}
