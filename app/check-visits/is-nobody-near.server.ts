// Whether anybody could weigh a truck again: somebody else who has recorded near its weighbridge lately.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';

const NEAR_KM = 200;
const EARTH_KM = 6371;

/**
 * Nobody but `personId` has recorded within 200 km of the weighbridge in twelve months. Where the place of a visit is
 * not known it may be near.
 */
export async function isNobodyNear(
  tx: Tx,
  { referenceId, personId, now }: { referenceId: string | null; personId: string | null; now: Date },
): Promise<boolean> {
  if (referenceId === null) return false;
  const { rows } = await sql<{ isNear: boolean }>`
    with placed as (
      select id, radians(latitude::float8) as latitude, radians(longitude::float8) as longitude
      from reference where latitude <> '' and longitude <> ''
    ), far as (
      select other.id from placed other join placed here on here.id = ${referenceId}
      where 2 * ${EARTH_KM} * asin(sqrt(sin((other.latitude - here.latitude) / 2) ^ 2
        + cos(here.latitude) * cos(other.latitude) * sin((other.longitude - here.longitude) / 2) ^ 2)) > ${NEAR_KM}
    )
    select not exists (select from placed where id = ${referenceId}) or exists (
      select from visit v join actor a on a.id = v.technician_id
      where v.visited_at > ${now}::timestamptz - interval '12 months' and v.origin = 'recorded'
        and a.person_id is distinct from ${personId}::uuid
        and (v.reference_id is null or v.reference_id not in (select id from far))
    ) as is_near`.execute(tx);
  return rows[0]?.isNear === false;
}
