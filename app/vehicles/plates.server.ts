// Which truck a plate's text names, now and on a day.
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import { bearersOn, type FormerPlate, type PlatePeriod } from './plates.ts';
import { plateText } from './plate-text.ts';
import { isRecordRego } from './vehicle.ts';

/** A condition: the vehicle with this rego has the text on its plate, as SQL. By index. */
export const hasText = (rego: RawBuilder<unknown>, text: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${rego} = ${text} or (strpos(${rego}, '-') > 0 and split_part(${rego}, '-', 1) = ${text}))`;

/** A plate that a truck had, and the rego that this truck has now. */
export type Former = FormerPlate & { vehicleId: string; now: string; changedAt: Date; isRemoved: boolean };

const FORMER = sql`select f.rego, f.state, f.since_on, f.until_on, f.why, f.from_vehicle is not null as is_joined, f.vehicle_id,
  f.changed_at, v.rego as now, v.deleted_at is not null as is_removed from former_plate f join vehicle v on v.id = f.vehicle_id`;

/**
 * Of each of `regos` that no live vehicle has: the last truck that had it. Of a text that several states gave out, the
 * state is asked for by the rego's own (123ABC-QLD).
 */
export async function findFormers(db: Db | Tx, regos: readonly string[]): Promise<Map<string, Former>> {
  if (regos.length === 0) return new Map();
  const { rows } = await sql<Former & { asked: string }>`
    select distinct on (asked) asked, f.* from unnest(${[...new Set(regos)]}::text[]) asked
    join (${FORMER}) f on split_part(f.rego, '-', 1) = split_part(asked, '-', 1)
      and (strpos(asked, '-') = 0 or f.rego = asked or f.state = split_part(asked, '-', 2))
    where not exists (select from vehicle l where l.rego = asked and (l.deleted_at is null or l.deleted_at > f.changed_at))
    order by asked, f.until_on desc, f.changed_at desc`.execute(db);
  return new Map(rows.map(({ asked, ...former }) => [asked, former]));
}

/** The rego that the truck has now which an address or a form calls `rego`: itself, unless that is a former one. */
export async function presentRego(db: Db | Tx, rego: string): Promise<string> {
  if (!isRecordRego(rego)) return rego;
  return (await findFormers(db, [rego])).get(rego)?.now ?? rego;
}

const PLATE = named<FormerPlate>({
  rego: 'f.rego',
  state: 'f.state',
  sinceOn: 'f.since_on',
  untilOn: 'f.until_on',
  why: 'f.why',
  isJoined: 'f.from_vehicle is not null',
});

/** The plates that a vehicle had, in the order of the changes, as SQL. */
export const formerPlatesOf = (vehicleId: RawBuilder<unknown>): RawBuilder<FormerPlate> =>
  sql`select ${PLATE} from former_plate f where f.vehicle_id = ${vehicleId} order by f.id`;

export const listFormerPlates = async (db: Db | Tx, vehicleId: string): Promise<FormerPlate[]> =>
  (await formerPlatesOf(sql`${vehicleId}::uuid`).execute(db.withoutPlugins())).rows;

/** Another vehicle that had a plate. `rego`: what it is called now. */
export type Other = Pick<FormerPlate, 'untilOn' | 'why'> & { id: string; rego: string };

const OTHER = named<Other>({ id: 'o.id', rego: 'o.rego', untilOn: 'f.until_on', why: 'f.why' });

/** The other live vehicles that had the text on a plate, the last first, as SQL. */
export const othersWith = (vehicleId: RawBuilder<unknown>, text: RawBuilder<string>): RawBuilder<Other> => sql`
  select ${OTHER} from former_plate f
    cross join lateral (select * from vehicle where id = f.vehicle_id offset 0) o
  where split_part(f.rego, '-', 1) = ${text} and f.vehicle_id <> ${vehicleId} and o.deleted_at is null
    and not exists (select from former_plate l where l.vehicle_id = f.vehicle_id and l.id > f.id
      and split_part(l.rego, '-', 1) = ${text})
  order by f.until_on desc, f.id desc`;

export const listOthers = async (db: Db | Tx, { id, rego }: { id: string; rego: string }): Promise<Other[]> =>
  (await othersWith(sql`${id}::uuid`, sql`${plateText(rego)}`).execute(db.withoutPlugins())).rows;

type FoundPeriod = PlatePeriod & { isRemoved: boolean };

/**
 * The trucks that had the plate `rego` on `day`: none, one, or one for each state that gave it out. `zone`: the
 * registry's. A plate is another truck's from the day of the change on; a removed truck has none from that day on.
 */
export async function vehiclesOnDay(
  db: Db | Tx,
  rego: string,
  { day, zone }: { day: string; zone: string },
): Promise<FoundPeriod[]> {
  const text = plateText(rego);
  const { rows } = await sql<FoundPeriod>`
    select p.*, v.rego, v.deleted_at is not null as is_removed from (
      select f.vehicle_id as id, f.rego as plate, f.state, f.since_on, f.until_on, f.changed_at as ended_at
      from former_plate f where split_part(f.rego, '-', 1) = ${text}
      union all
      select v.id, v.rego, v.plate_state, case when l.why = 'typed-wrong' then l.since_on else l.until_on end,
        (v.deleted_at at time zone ${zone})::date, v.deleted_at
      from vehicle v left join lateral (
        select why, since_on, until_on from former_plate f where f.vehicle_id = v.id and f.from_vehicle is null
        order by f.id desc limit 1) l on true
      where v.joined_into is null and ${hasText(sql`v.rego`, sql`${text}`)}
    ) p join vehicle v on v.id = p.id
    order by p.until_on nulls last, p.ended_at, p.id`.execute(db);
  const state = rego.slice(text.length + 1);
  const asked = rows.filter((period) => state === '' || period.plate === rego || period.state === state);
  return bearersOn(asked, day);
}
