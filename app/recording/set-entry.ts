// Parses the form of a calibration set: the visit, the grid, and the confirmed warnings, in the server and on a phone
// without reception. It is not in set-grid.ts, so that the pages with reception do not load Zod.
import { z } from 'zod';
import { optionalLine, optionalText, requiredDay } from '#app/forms/text-fields.ts';
import { daysBetween, instantAt, todayIn } from '#app/platform/time/calendar.ts';
import { doneRefusal } from '#app/platform/time/entered-day.ts';
import { readForm } from '#app/platform/http/read-form.ts';
import { shownZone } from '#app/references/reference.ts';
import { dueDayFrom } from './calibration-entry.ts';
import { dueRefusal } from './due-refusal.ts';
import { LIFT_AXLE_POSITIONS, perFact } from '#app/readings/visit-fact.ts';
import { AXLES, axleGroupsText, isTrailer, type Axle } from '#app/vehicles/axle.ts';
import {
  axlesOf,
  isAxle,
  judgeGrid,
  missingIn,
  nameOf,
  VISIT_OLD_DAYS,
  type GivenGrid,
  type SetAxle,
} from '#app/readings/set-grid.ts';

const VISIT_REFUSED = {
  none: 'Enter the day of the visit.',
  future: 'The visit is in the future. Check the date.',
};

// Which groups were not behind the truck stands in the grid.
const FACTS = perFact('field', {
  line: ({ maxLength }) => optionalLine(maxLength),
  choice: () => z.enum(['', ...LIFT_AXLE_POSITIONS]).default(''),
  groups: () => z.string().default(''),
});

const visitSchemaOn = (today: string) =>
  z.object({
    confirmed: z.literal('yes', { error: 'Confirm that this is the truck in front of you.' }),
    vin: z.string().default(''),
    visit_date: requiredDay((text) => doneRefusal(text, { today, ...VISIT_REFUSED })),
    visit_time: z
      .string()
      .default('')
      .refine((time) => /^([01]\d|2[0-3]):[0-5]\d$/.test(time), 'Enter the time of the visit, such as 14:05.'),
    ...FACTS,
    /** Of a weighbridge that was chosen; '' for another one. */
    reference_id: z.string().default(''),
    due_date: dueDayFrom(today),
    notes: optionalText(2000),
  });

let latest: { today: string; schema: ReturnType<typeof visitSchemaOn> } | undefined;
// Cached, because Zod compiles a schema at its first parse: once a day, not once a form.
function visitSchema(today: string): ReturnType<typeof visitSchemaOn> {
  if (latest?.today !== today) latest = { today, schema: visitSchemaOn(today) };
  return latest.schema;
}

export type SetInput = Omit<z.infer<ReturnType<typeof visitSchema>>, 'confirmed' | 'visit_date' | 'visit_time'> & {
  visitedAt: Date;
  axles: SetAxle[];
};

export type ReadSet = {
  /** All typed values by field name, to show again. */
  values: Record<string, string>;
  axles: readonly Axle[];
  errors: Record<string, string>;
  warnings: Record<string, string>;
  /** Whose clock showed the time: the place's where it is known, else the registry's. */
  zone: string;
  /** The codes of the warnings, separated by spaces: the value of the tick box that confirms them. */
  codes: string;
  /** Undefined if there is an error or an unconfirmed warning. */
  input: SetInput | undefined;
};

/**
 * Parses the form. `all`: the values of fields that occur several times. The time is by the clock that the form showed
 * beside it (`visit_zone`, which older programs and forms without scripts do not send), else by `placeZone`, else by
 * the registry's.
 */
export function readSet(
  fields: ReadonlyMap<string, string>,
  all: ReadonlyMap<string, readonly string[]>,
  {
    zone,
    placeZone = zone,
    now,
    longestIntervalDays,
  }: { zone: string; placeZone?: string | undefined; now: Date; longestIntervalDays: number },
): ReadSet {
  const today = todayIn(zone, now);
  const shown = fields.get('visit_zone') ?? '';
  const clock = shown === zone ? zone : (shownZone(shown) ?? placeZone);
  const axles = (all.get('axle') ?? []).filter(isAxle);
  const grid: GivenGrid = { axles, text: (name) => fields.get(name) ?? '' };
  const { errors: gridErrors, warnings } = judgeGrid(grid);
  const visit = readForm(visitSchema(today), fields);
  const errors: Record<string, string> = {
    ...missingIn(grid),
    ...gridErrors,
    ...(visit.ok ? {} : visit.errors),
    ...(axles.length === 0 ? { axle: 'Choose the axles that were read.' } : {}),
  };
  const day = (fields.get('visit_date') ?? '').trim();
  const due = (fields.get('due_date') ?? '').trim();
  const refusal =
    errors['visit_date'] === undefined && due !== '' ? dueRefusal(due, day, longestIntervalDays) : undefined;
  if (refusal !== undefined) errors['due_date'] ??= refusal;
  if (errors['visit_date'] === undefined && daysBetween(day, today) > VISIT_OLD_DAYS)
    warnings['visit_date'] = {
      code: `visit_date:old:${day}`,
      message: `The visit was ${daysBetween(day, today)} days ago. It will show as recorded ${daysBetween(day, today)} days late.`,
    };
  const codes = Object.values(warnings).map(({ code }) => code);
  const confirmed = new Set((fields.get('all_the_same') ?? '').split(' '));
  const isConfirmed = codes.every((code) => confirmed.has(code));
  return {
    values: Object.fromEntries(fields),
    axles,
    errors,
    warnings: Object.fromEntries(Object.entries(warnings).map(([name, { message }]) => [name, message])),
    zone: clock,
    codes: codes.join(' '),
    input:
      visit.ok && isConfirmed && Object.keys(errors).length === 0
        ? { ...inputOf(visit.input, axlesOf(grid), clock), not_behind: notBehindIn(grid) }
        : undefined,
  };
}

function inputOf(
  { visit_date, visit_time, confirmed: _confirmed, ...visit }: z.infer<ReturnType<typeof visitSchema>>,
  axles: SetAxle[],
  zone: string,
): SetInput {
  return { ...visit, visitedAt: instantAt(visit_date, visit_time, zone), axles };
}

// One that was read was there.
const notBehindIn = ({ axles, text }: GivenGrid): string =>
  axleGroupsText(
    AXLES.map(({ axle }) => axle).filter(
      (axle) => isTrailer(axle) && !axles.includes(axle) && text(nameOf(axle, 'not_behind')) === 'yes',
    ),
  );
