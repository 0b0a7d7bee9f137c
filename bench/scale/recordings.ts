// Readings as a technician's form sends them: whole visits, on the lines of their trucks, so that each visit counts and moves
// the due date to the one that it states.
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { regoAt } from './registry-plan.ts';
import { INTERVAL_DAYS, laterReadings } from './truck-history.ts';
import type { Asked } from './wrk.ts';

/** `by`: which technician visits the truck. */
export type Recording = { by: number; rego: string; axle: string; attribute: string; value: string; dueOn: string };

// So many trucks are at the scale at once: their visits open, grow and close together.
const AT_THE_SCALE = 100;
export const READINGS_A_VISIT = 16;
// Due dates lie within so many days. A truck's next visit states another day than the one before.
const SPREAD_DAYS = 60;
const STEP_DAYS = 23;
// Another run on the same registry reads other loads: readings equal to the digit are what a copy looks like, and would wait.
const RUN = Date.now();

/** `count` readings of visits to these trucks, the nth visits of all before the next of any, to `atOnce` of them at once. */
export function recordings(trucks: readonly number[], count: number, atOnce = AT_THE_SCALE): Recording[] {
  const today = new Date().toISOString().slice(0, 10);
  const all: Recording[] = [];
  for (let nth = 0; all.length < count && trucks.length > 0; nth += 1)
    for (let first = 0; first < trucks.length && all.length < count; first += atOnce) {
      const visits = trucks.slice(first, first + atOnce).map((index) => visitOf(index, nth, today));
      for (let place = 0; place < READINGS_A_VISIT; place += 1)
        for (const visit of visits) all.push(...visit.slice(place, place + 1));
    }
  return all;
}

function visitOf(index: number, nth: number, today: string): Recording[] {
  const earlier = (index + nth * STEP_DAYS) % SPREAD_DAYS;
  const stated = { by: index, rego: regoAt(index), dueOn: addDays(today, INTERVAL_DAYS - earlier) };
  return laterReadings(index, `${RUN} ${nth}`).flatMap(({ axle, four }) =>
    READING_FIELDS.map(({ field, label }) => ({ ...stated, axle, attribute: label, value: four[field] })),
  );
}

export const fieldsOf = ({ rego, axle, attribute, value, dueOn }: Recording): string =>
  new URLSearchParams({ rego, axle, attribute, value, due_date: dueOn, confirmed: 'yes' }).toString();

export const asForm = (recording: Recording): Asked => ({
  path: `/vehicles/view/${recording.rego}`,
  by: recording.by,
  body: `${fieldsOf(recording)}&form_key=%KEY%`,
});
