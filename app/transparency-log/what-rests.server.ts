// What the entries that cover vehicles' records say of them: on what the verdicts on them rest, and the plates of those
// whose plate was changed. Read when the entry is made, so that no write can say anything else than it did.
import { sql, type RawBuilder } from 'kysely';
import { isDay } from '#app/platform/time/calendar.ts';
import type { Body } from '#app/tlog/leaf-body.ts';
import type { RestsOn } from '#app/tlog/rests-on.ts';
import { ofRulingVisit } from './ruling-visit.server.ts';

/** On what a verdict rests, as the entry says it in clear. */
export type Rests = Pick<Body, 'restsOn' | 'restsOnDay'>;

/** On what the verdict on a row of `vehicle`, `v`, rests, as SQL. */
export const RESTS_ON_NOW: RawBuilder<RestsOn> = sql`case when v.last_calibrated_at is null then 'no-calibration'
  when v.rests_on = '' then 'taken-over' else v.rests_on end`;

/** The day of the visit that rules it; null: none does, as before the first visit of one taken over. As SQL. */
export const RESTS_ON_DAY: RawBuilder<string | null> = sql`(${ofRulingVisit(sql`v.id`, sql`t.visited_on::text`)})`;

/** Both of a row of `vehicle`, `t`, as SQL. */
export const RESTS: RawBuilder<FoundRests> = sql`(select
  json_build_object('restsOn', ${RESTS_ON_NOW}, 'day', ${RESTS_ON_DAY}) from vehicle v where v.id = t.id)`;
export type FoundRests = { restsOn: RestsOn; day: string | null };

/** A day that no calendar has would refuse the entry. */
export const restsOf = ({ restsOn, day }: FoundRests): Rests => ({
  restsOn,
  ...(day !== null && isDay(day) ? { restsOnDay: day } : {}),
});

export type SaidOfVehicle = { rests: Rests; plate: LoggedPlate | null };
/** What `plate` commits to. `since` null: not known. */
export type LoggedPlate = { rego: string; state: string; since: string | null; before: string };

/** The plate of a row of `vehicle`, `t`, as SQL; null: it was never changed. */
export const PLATE: RawBuilder<LoggedPlate | null> = sql`(select json_build_object('rego', t.rego, 'state', t.plate_state,
    'since', case when f.why = 'typed-wrong' then f.since_on else f.until_on end, 'before', f.rego)
  from former_plate f where coalesce(f.from_vehicle, f.vehicle_id) = t.id and f.why <> 'joined' order by f.id desc limit 1)`;

/** The rego under which a vehicle was first logged, which all its entries commit to, as SQL. */
export const firstRego = (id: RawBuilder<unknown>, rego: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce((select f.rego from former_plate f where coalesce(f.from_vehicle, f.vehicle_id) = ${id}
    order by f.id limit 1), ${rego})`;
