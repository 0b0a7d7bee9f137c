// What other records have of what a visit rests on, and who captured it.
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { counts, newestFirst } from '#app/transparency-log/ruling-visit.server.ts';
import { knownVin } from '#app/vehicles/vehicle.ts';
import type { VehicleOfVisit } from '#app/vehicles/queries.server.ts';
import { copiedOf, type CompleteAxle } from './find-copies.server.ts';
import { captorOf } from './parts-in-visit.server.ts';
import type { Copied } from './visit-facts.ts';
import type { CalibrationSet } from '#app/readings/queries.server.ts';
import type { VisitRow } from './visit-queries.server.ts';

export type JudgedVisit = Pick<
  VisitRow,
  | 'id'
  | 'vehicleId'
  | 'personId'
  | 'visitedAt'
  | 'visitedOn'
  | 'openedAt'
  | 'closedAt'
  | 'isConfirmed'
  | 'referenceId'
  | 'vin'
>;
export type OwnSet = Pick<CalibrationSet, 'weighbridge' | 'ticketNumber' | 'photoId' | 'axles' | 'notBehind'>;

/** Pictures at this Hamming distance of their difference hashes, or a smaller one, count as the same. */
const ALIKE_MAX_DISTANCE = 4;

type Around = {
  hasVinElsewhere: boolean;
  hasSerialElsewhere: boolean;
  /**
   * Its rego looks like another truck's, and one of the two has no VIN. Or it was added after that truck, and none of
   * its visits counts yet: anybody can invent a VIN.
   */
  hasLookAlike: boolean;
  /** A record with its rego was removed before, and no admin has let a visit of this one count since. */
  isRegisteredAgain: boolean;
  vinBefore: string | null;
  isTicketUsed: boolean;
  isPhotoUsed: boolean;
  captor: string | null;
  copied: Copied | null;
};

// The entry by which a record was added: by the log, as two clocks may differ.
const addedBy = (id: RawBuilder<unknown>) =>
  sql`coalesce((select min(leaf_index) from record_leaf where record_table = 'vehicle' and record_key = (${id})::text), -1)`;

// In one statement, each part by its index.
export async function lookAround(
  tx: Db | Tx,
  vehicle: VehicleOfVisit,
  {
    visit,
    set,
    zone,
    axles,
  }: { visit: JudgedVisit; set: OwnSet | undefined; zone: string; axles: readonly CompleteAxle[] },
): Promise<Around> {
  const { ticketNumber = '', weighbridge = '', photoId = null } = set ?? {};
  const vin = knownVin(vehicle.vin);
  const { rows } = await sql<Around>`select
    exists (select from vehicle o where ${vin} <> '' and o.vin <> '' and o.vin = ${vin}
      and o.id <> ${vehicle.id}::uuid) as has_vin_elsewhere,
    exists (select from vehicle o where o.scale_serial_number <> '' and o.scale_serial_number = ${vehicle.scaleSerialNumber}
      and o.id <> ${vehicle.id}::uuid) as has_serial_elsewhere,
    exists (select from vehicle o where translate(o.rego, 'OILSBZ', '011582') = translate(${vehicle.rego}, 'OILSBZ', '011582')
      and o.deleted_at is null and o.rego <> ${vehicle.rego} and (${vin} = '' or known_vin(o.vin) = '' or (
        ${addedBy(sql`o.id`)} < ${addedBy(sql`${vehicle.id}::uuid`)} and not exists (select from visit c
          where c.vehicle_id = ${vehicle.id}::uuid and c.id <> ${visit.id}::uuid and ${counts('c.state')})))) as has_look_alike,
    exists (select from vehicle o where o.rego = ${vehicle.rego} and o.deleted_at is not null
        and ${addedBy(sql`o.id`)} < ${addedBy(sql`${vehicle.id}::uuid`)})
      and not exists (select from visit lv join visit_decision d on d.visit_id = lv.id
        where lv.vehicle_id = ${vehicle.id}::uuid and d.decision = 'accepted'
          and d.decided_at <= ${visit.openedAt}::timestamptz) as is_registered_again,
    ${captorOf(visit.id)} as captor,
    ${copiedOf(visit, axles)} as copied,
    -- One that was corrected and waits since may have counted; it does not stand in for one that counts.
    (select v.vin from visit v, lateral (select ${counts('v.state')} as is_counting) s
      where v.vehicle_id = ${vehicle.id}::uuid and v.id <> ${visit.id}::uuid
      and (s.is_counting or (v.state = 'waits' and exists (select from calibration c
        where c.vehicle_id = v.vehicle_id and c.visit_id = v.id and c.corrects_id is not null)))
      and known_vin(v.vin) <> '' and v.opened_at <= ${visit.openedAt}::timestamptz
      order by s.is_counting desc, ${newestFirst('v')} limit 1) as vin_before,
    exists (select from calibration_set o
      left join visit ov on ov.id = o.id
      where o.ticket_number = ${ticketNumber} and o.ticket_number <> '' and o.id <> ${visit.id}::uuid
        and coalesce(ov.reference_id = ${visit.referenceId}::uuid,
          lower(trim(o.weighbridge)) = lower(trim(${weighbridge})))
        and (o.vehicle_id <> ${vehicle.id}::uuid
          or (o.visited_at at time zone ${zone})::date <> ${visit.visitedOn}::date)) as is_ticket_used,
    ${photoId !== null} and (exists (select from calibration_set own
        join calibration_set o on photo_bands(o.photo_dhash) && photo_bands(own.photo_dhash) and o.photo_dhash is not null
          and bit_count(o.photo_dhash # own.photo_dhash) <= ${sql.lit(ALIKE_MAX_DISTANCE)} and o.id <> own.id
        where own.id = ${visit.id}::uuid)
      or exists (select from calibration_set own
        cross join unnest(array[own.photo_sha256] || own.more_photo_sha256s) as picture (sha256)
        join calibration_set o on o.id <> own.id
          and (o.photo_sha256 = picture.sha256 or o.more_photo_sha256s @> array[picture.sha256])
        where own.id = ${visit.id}::uuid)) as is_photo_used`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('the query for other records returned no row');
  return found;
}
