// What other records have of what a visit rests on, and who captured it.
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { counts, newestFirst } from '#app/transparency-log/ruling-visit.server.ts';
import { FULL_VIN, knownVin } from '#app/vehicles/vehicle.ts';
import { hasText } from '#app/vehicles/plates.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import type { VehicleOfVisit } from '#app/vehicles/queries.server.ts';
import { copiedOf, type CompleteAxle } from './find-copies.server.ts';
import { captorOf } from './parts-in-visit.server.ts';
import type { Copied } from './visit-facts.ts';
import type { CalibrationSet } from '#app/readings/queries.server.ts';
import { ticketsOf, VISITS_WITH_TICKET } from './tickets.server.ts';
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
export type OwnSet = Pick<
  CalibrationSet,
  'weighbridge' | 'ticketNumber' | 'photoId' | 'axles' | 'notBehind' | 'weighings'
> &
  Partial<Pick<CalibrationSet, 'sealsFound' | 'sealsReason'>>;

/** Pictures at this Hamming distance of their difference hashes, or a smaller one, count as the same. */
const ALIKE_MAX_DISTANCE = 4;

export type Around = {
  hasVinElsewhere: boolean;
  hasSerialElsewhere: boolean;
  /**
   * Its rego looks like another truck's, and one of the two has no VIN. Or it was added after that truck, and none of
   * its visits counts yet: anybody can invent a VIN.
   */
  hasLookAlike: boolean;
  /** A record with its rego was removed before, and no admin has let a visit of this one count since. */
  isRegisteredAgain: boolean;
  /**
   * Its plate was another vehicle's in the last 24 months, and no admin has made or confirmed the change to it, or let
   * a visit of this one count since.
   */
  wasPlateAnothers: boolean;
  vinBefore: string | null;
  /** Which seals were left at the last visit that counts, '' where it does not say, and its day. */
  sealsBefore: { left: string; on: string } | null;
  isTicketUsed: boolean;
  isPhotoUsed: boolean;
  captor: string | null;
  copied: Copied | null;
};

// The entry by which a record was added: by the log, as two clocks may differ.
const addedBy = (id: RawBuilder<unknown>) =>
  sql`coalesce((select min(leaf_index) from record_leaf where record_table = 'vehicle' and record_key = (${id})::text), -1)`;

// The visits of one press share their ticket and their photos.
const isOfAnotherPress = (visitId: string) =>
  sql`(o.together is null or o.together is distinct from (select together from calibration_set where id = ${visitId}::uuid))`;

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
  const photoId = set?.photoId ?? null;
  const tickets = ticketsOf(set, visit.referenceId);
  const vin = knownVin(vehicle.vin);
  const openedAt = sql`${visit.openedAt}::timestamptz`;
  const longAgo = sql`(${openedAt} - interval '24 months')`;
  // Whether an admin has let a visit of it count since `from`.
  const hasAccepted = (from: RawBuilder<unknown>) => sql`exists (select from visit lv
      join visit_decision d on d.visit_id = lv.id
      where lv.vehicle_id = ${vehicle.id}::uuid and d.decision = 'accepted'
        and d.decided_at >= ${from} and d.decided_at <= ${openedAt})`;
  // The change to the plate that it has; none: it has it since ever.
  const changed = (what: RawBuilder<unknown>) =>
    sql`select ${what} from former_plate where vehicle_id = ${vehicle.id}::uuid and from_vehicle is null
      order by id desc limit 1`;
  const isConfirmed = sql`coalesce((${changed(sql`confirmed_by is not null`)}), false)`;
  const text = sql`${plateText(vehicle.rego)}`;
  // Of records that were joined only the one that was kept is a truck.
  const isOtherTruck = sql`joined_truck(o.id) <> ${vehicle.id}::uuid`;
  // A visit from before the change was at another plate.
  const wasAnothers = sql`(coalesce((${changed(sql`changed_at <= ${openedAt}`)}), true) and (
      exists (select from former_plate f where split_part(f.rego, '-', 1) = ${text} and f.vehicle_id <> ${vehicle.id}::uuid
        and f.until_on > ${longAgo} and f.changed_at <= ${openedAt})
      or (exists (${changed(sql`1`)}) and exists (select from vehicle o where ${hasText(sql`o.rego`, text)}
        and ${isOtherTruck} and o.deleted_at > ${longAgo} and o.deleted_at <= ${openedAt}))))`;
  const { rows } = await sql<Around>`select
    exists (select from vehicle o where ${vin} <> '' and o.vin <> '' and o.vin = ${vin}
      and (o.deleted_at is not null or length(o.vin) >= ${sql.lit(FULL_VIN)})
      and ${isOtherTruck} and not exists (select from two_trucks s where s.vin = ${vin}
        and s.first_id = least(joined_truck(o.id), ${vehicle.id}::uuid)
        and s.second_id = greatest(joined_truck(o.id), ${vehicle.id}::uuid))) as has_vin_elsewhere,
    exists (select from vehicle o where o.scale_serial_number <> '' and o.scale_serial_number = ${vehicle.scaleSerialNumber}
      and ${isOtherTruck}) as has_serial_elsewhere,
    exists (select from vehicle o where translate(o.rego, 'OILSBZ', '011582') = translate(${vehicle.rego}, 'OILSBZ', '011582')
      and o.deleted_at is null and o.rego <> ${vehicle.rego} and (${vin} = '' or known_vin(o.vin) = '' or (
        ${addedBy(sql`o.id`)} < ${addedBy(sql`${vehicle.id}::uuid`)} and not exists (select from visit c
          where c.vehicle_id = ${vehicle.id}::uuid and c.id <> ${visit.id}::uuid and ${counts('c.state')})))) as has_look_alike,
    exists (select from vehicle o where o.rego = ${vehicle.rego} and o.deleted_at is not null
        and ${isOtherTruck} and ${addedBy(sql`o.id`)} < ${addedBy(sql`${vehicle.id}::uuid`)})
      and not ${hasAccepted(sql`'-infinity'`)} and not ${isConfirmed} as is_registered_again,
    ${wasAnothers} and not ${hasAccepted(sql`coalesce((${changed(sql`changed_at`)}), '-infinity')`)}
      and not ${isConfirmed} as was_plate_anothers,
    ${captorOf(visit.id)} as captor,
    ${copiedOf(visit, axles)} as copied,
    -- One that was corrected and waits since may have counted; it does not stand in for one that counts.
    (select v.vin from visit v, lateral (select ${counts('v.state')} as is_counting) s
      where v.vehicle_id = ${vehicle.id}::uuid and v.id <> ${visit.id}::uuid
      and (s.is_counting or (v.state = 'waits' and exists (select from calibration c
        where c.vehicle_id = v.vehicle_id and c.visit_id = v.id and c.corrects_id is not null)))
      and known_vin(v.vin) <> '' and v.opened_at <= ${visit.openedAt}::timestamptz
      order by s.is_counting desc, ${newestFirst('v')} limit 1) as vin_before,
    (select json_build_object('left', coalesce((select s.seals_left from calibration_set s where s.id = v.id), ''),
        'on', v.visited_on) from visit v
      where v.vehicle_id = ${vehicle.id}::uuid and v.id <> ${visit.id}::uuid and ${counts('v.state')}
        and v.state <> 'taken-over' and v.opened_at <= ${openedAt}
      order by ${newestFirst('v')} limit 1) as seals_before,
    exists (select from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) own (ticket text, reference uuid, place text)
      cross join lateral ${VISITS_WITH_TICKET} o
      where o.id <> ${visit.id}::uuid and ${isOfAnotherPress(visit.id)}
        and coalesce(o.reference_id = own.reference, lower(trim(o.place)) = lower(trim(own.place)))
        and (o.vehicle_id <> ${vehicle.id}::uuid
          or (o.visited_at at time zone ${zone})::date <> ${visit.visitedOn}::date)) as is_ticket_used,
    ${photoId !== null} and (exists (select from calibration_set own
        join calibration_set o on photo_bands(o.photo_dhash) && photo_bands(own.photo_dhash) and o.photo_dhash is not null
          and bit_count(o.photo_dhash # own.photo_dhash) <= ${sql.lit(ALIKE_MAX_DISTANCE)} and o.id <> own.id
          and ${isOfAnotherPress(visit.id)}
        where own.id = ${visit.id}::uuid)
      or exists (select from calibration_set own
        cross join unnest(array[own.photo_sha256] || own.more_photo_sha256s) as picture (sha256)
        join calibration_set o on o.id <> own.id and ${isOfAnotherPress(visit.id)}
          and (o.photo_sha256 = picture.sha256 or o.more_photo_sha256s @> array[picture.sha256])
        where own.id = ${visit.id}::uuid)) as is_photo_used`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('the query for other records returned no row');
  return found;
}
