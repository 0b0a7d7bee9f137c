// Whether a VIN is another truck's, or the same one's that an admin corrected: with the reason 'typed wrong', as the
// activity log has it. Only admins give a reason.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

/** What the reason of such a correction begins with. */
export const TYPED_WRONG = 'typed wrong';

/** Whether `now` is another VIN of this vehicle than `before`. */
export async function isOtherVin(
  tx: Db | Tx,
  vehicleId: string,
  { before, now }: { before: string; now: string },
): Promise<boolean> {
  if (before === now) return false;
  const { rows } = await sql<{ from: string; to: string }>`select c.change->>'from' as "from", c.change->>'to' as "to"
    from activity_log l join activity_detail d on d.index = l.index
      cross join jsonb_array_elements(d.changes::jsonb) c (change)
    where l.subject = 'vehicle' and l.subject_id = ${vehicleId} and l.kind = 'vehicle.updated'
      and d.details ilike ${`% updated: ${TYPED_WRONG}%`} and c.change->>'field' = 'vin'
    order by l.index desc`.execute(tx);
  // From the VIN of now back, correction by correction.
  let vin = now;
  for (const { from, to } of rows) if (to === vin && vin !== before) vin = from;
  return vin !== before;
}
