// A technician's own vehicles: those on which they have a reading, under any of their names, taken over from the former
// database too.
import { sql, type RawBuilder } from 'kysely';

/** Whether a row of `vehicle` is one of the person `personId`. */
export const isOf = (personId: string): RawBuilder<boolean> => sql`id in (select c.vehicle_id from calibration c
  where c.technician_id in (select a.id from actor a where a.person_id = ${personId}::uuid))`;
