// What the form shows by which an admin finds a visit's weighbridge in the register.
import { findVisit } from '#app/visits/visit-queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { findReference } from '#app/references/queries.server.ts';
import { referenceLine } from '#app/references/reference.ts';

/** Undefined: there is no such visit, or it has single readings, which name no weighbridge. */
export async function matchPage(db: Db, id: string) {
  if (!isUuid(id)) return undefined;
  const visit = await findVisit(db, id);
  const set = await db.selectFrom('calibrationSet').select('weighbridge').where('id', '=', id).executeTakeFirst();
  if (visit === undefined || set === undefined) return undefined;
  const reference = visit.referenceId === null ? undefined : await findReference(db, visit.referenceId);
  return {
    id,
    day: formatDay(visit.visitedOn),
    typed: set.weighbridge,
    openedReference: reference?.id ?? '',
    line: reference === undefined ? 'None' : referenceLine(reference),
    idempotencyKey: newIdempotencyKey(),
  };
}
