// The tickets of a visit: its own, and those of its weighings, each at its weighbridge.
import { sql } from 'kysely';
import { weighingsIn } from '#app/readings/weighings.ts';
import type { CalibrationSet } from '#app/readings/queries.server.ts';

type Ticket = { ticket: string; reference: string | null; place: string };

/** `referenceId`: the visit's weighbridge, if it is in the register. */
export function ticketsOf(
  set: Pick<CalibrationSet, 'weighbridge' | 'ticketNumber' | 'weighings'> | undefined,
  referenceId: string | null,
): Ticket[] {
  if (set === undefined) return [];
  const { weighbridge, ticketNumber } = set;
  const own = ticketNumber === '' ? [] : [{ ticket: ticketNumber, reference: referenceId, place: weighbridge }];
  const others = weighingsIn(set.weighings).flatMap(({ ticket, at, reference }): Ticket[] => {
    if (ticket === undefined) return [];
    return [
      at === undefined
        ? { ticket, reference: referenceId, place: weighbridge }
        : { ticket, reference: reference ?? null, place: at },
    ];
  });
  return [...own, ...others];
}

/** The visits that have the ticket `own`, each with the weighbridge that it is of. Each part by its index. */
export const VISITS_WITH_TICKET = sql`(
    select s.id, s.vehicle_id, s.visited_at, s.together, v.reference_id, s.weighbridge as place
      from calibration_set s left join visit v on v.id = s.id
      where s.ticket_number = own.ticket and s.ticket_number <> ''
    union all select s.id, s.vehicle_id, s.visited_at, s.together,
        case when x ? 'at' then (x ->> 'reference')::uuid else v.reference_id end, coalesce(x ->> 'at', s.weighbridge)
      from calibration_set s cross join lateral jsonb_array_elements(s.weighings::jsonb) x
        left join visit v on v.id = s.id
      where s.weighings is not null and x ->> 'ticket' = own.ticket
        and s.weighings::jsonb @> jsonb_build_array(jsonb_build_object('ticket', own.ticket)) offset 0)`;
