// Which visit rules a truck's verdict, in SQL: the newest of those that count, were accepted or were taken over.
import { sql, type RawBuilder } from 'kysely';
import { COUNTING_STATES } from '#app/tlog/rests-on.ts';

/** Whether a visit takes part in the rule, as text. `state`: its column. */
export const countsText = (state: string): string =>
  `${state} in (${COUNTING_STATES.map((one) => `'${one}'`).join(', ')})`;
export const counts = (state: string): RawBuilder<boolean> => sql.raw(countsText(state));

/** The order of the rule: the visit that rules first. `visit`: the name of its table in the query. */
export const newestFirst = (visit: string): RawBuilder<unknown> =>
  sql.raw(`${visit}.visited_on desc, ${visit}.opened_at desc, ${visit}.id`);

/** `columns` of the visit `t` that rules a vehicle; no row: none does. It costs the same however many there are. */
export const ofRulingVisit = <Row>(vehicleId: RawBuilder<unknown>, columns: RawBuilder<Row>): RawBuilder<Row> =>
  sql`select ${columns} from visit t where t.vehicle_id = ${vehicleId} and ${counts('t.state')}
    order by ${newestFirst('t')} limit 1`;
