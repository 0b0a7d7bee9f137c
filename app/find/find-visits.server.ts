// Visits by the truck's plate or their id, and by their tickets. Who may not read everybody's finds their own, in their
// own list.
import { sql, type RawBuilder } from 'kysely';
import { href } from 'react-router';
import { may } from '#app/access/permissions.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { listAddress } from '#app/ui/list-address.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { hasText } from '#app/vehicles/plates.server.ts';
import { normaliseSearch } from '#app/vehicles/vehicle.ts';
import { VISITS_WITH_TICKET } from '#app/visits/tickets.server.ts';
import { stateWord, type VisitState } from '#app/visits/visit.ts';
import { joined, ROWS_MAX, type Asked, type Found } from './source.server.ts';

/** A shorter beginning of a ticket would fit too many. */
const TICKET_MIN = 3;

type Row = { id: string; rego: string; visitedOn: string; state: VisitState; technician: string | null };

export async function findVisits(asked: Asked): Promise<Found> {
  const { text, who } = asked;
  const code = plateText(normaliseSearch(text));
  if (code === '') return { rows: [] };
  const isId = isUuid(text);
  const rows = await select<Row>(asked, {
    from: sql`(select null::text as ticket, '' as place) t cross join vehicle ve join visit v on v.vehicle_id = ve.id`,
    where: isId ? sql`v.id = ${text}::uuid` : hasText(sql`ve.rego`, sql`${code}`),
  });
  return {
    rows: rows.map((row) => ({
      ...linkOf(asked, row),
      title: `Visit of ${formatDay(row.visitedOn)}`,
      detail: joined(row.rego, row.technician ?? 'N/A', stateWord(row.state)),
      isExact: isId,
    })),
    all: listAddress(may(who.role, 'read visits') ? '/visits' : '/my-visits', { text, page: 1 }),
  };
}

export async function findTickets(asked: Asked): Promise<Found> {
  const { text } = asked;
  const like = (typed: string) => `${typed.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const begins = [...new Set([text, text.toUpperCase()])].map(
    (typed) => sql`(select id, ticket_number as ticket, weighbridge as place from calibration_set
      where ticket_number <> '' and ticket_number like ${like(typed)} limit ${100 * ROWS_MAX})`,
  );
  const whole = sql`select w.id, own.ticket, w.place from (select ${text}::text as ticket) own
    cross join lateral ${VISITS_WITH_TICKET} w`;
  const rows = await select<Row & { ticket: string; place: string }>(asked, {
    from: sql`(${sql.join([whole, ...(text.length < TICKET_MIN ? [] : begins)], sql` union `)}) t
      join visit v on v.id = t.id join vehicle ve on ve.id = v.vehicle_id`,
    where: sql`true`,
  });
  return {
    rows: rows.map((row) => ({
      ...linkOf(asked, row),
      title: row.ticket,
      detail: [row.place, formatDay(row.visitedOn), row.rego].filter((part) => part !== '').join(', '),
      isExact: row.ticket.toLowerCase() === text.toLowerCase(),
    })),
  };
}

// Those that have a page, the newest first.
async function select<Found>(
  { services: { db }, who }: Asked,
  { from, where }: { from: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<Found[]> {
  const isOwn = may(who.role, 'read visits')
    ? sql`true`
    : sql`v.technician_id in (select id from actor where person_id = ${who.personId}::uuid)`;
  const { rows } = await sql<Found>`select v.id, ve.rego, v.visited_on, v.state, a.name as technician, t.ticket, t.place
    from ${from} left join actor a on a.id = v.technician_id
    where ${where} and v.state <> 'taken-over' and ve.deleted_at is null and ${isOwn}
    order by v.visited_on desc, v.opened_at desc, v.id limit ${ROWS_MAX}`.execute(db);
  return rows;
}

const linkOf = ({ who }: Asked, { id, rego }: Row): { href: string } => ({
  href: may(who.role, 'read visits') ? href('/visits/:id', { id }) : listAddress('/my-visits', { text: rego, page: 1 }),
});
