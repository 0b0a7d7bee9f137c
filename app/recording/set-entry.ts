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
import { detailsOfForm, type Details } from '#app/vehicles/group-details.ts';
import { AXLES, axleGroupsText, axlesOfKind, GROUPS_MAX, isTrailer, type Axle } from '#app/vehicles/axle.ts';
import { trailersText, type NamedTrailer } from '#app/readings/visit-trailers.ts';
import { weighingRefusals, weighingSlips } from './weighing-remarks.ts';
import { weighingsText } from '#app/readings/weighings.ts';
import { weighingsTyped } from '#app/readings/weighings-entry.ts';
import type { Policy } from '#app/policy/policy.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import {
  axlesOf,
  gridsOf,
  judgeGrids,
  missingInGrids,
  nameOf,
  prefixOf,
  UNITS_MAX,
  VISIT_OLD_DAYS,
  type GivenGrid,
  type SetAxle,
  type UnitGrid,
} from '#app/readings/set-grid.ts';

const VISIT_REFUSED = {
  none: 'Enter the day of the visit.',
  future: 'The visit is in the future. Check the date.',
};

// Which groups were not behind the truck stands in the grid.
const FACTS = perFact('field', {
  line: (fact) => {
    const line = optionalLine(fact.maxLength);
    return 'oneOf' in fact
      ? line.refine((text) => fact.oneOf.some((word) => word === text), 'Choose one of them.')
      : line;
  },
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
  /** What is said of the groups that were read. */
  details?: Details;
  /** The trailers with a unit of their own that were weighed with it. */
  units?: readonly UnitInput[];
};
export type UnitInput = { rego: string; vin: string; axles: SetAxle[]; details: Details };

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

type Tolerance = Pick<Policy, 'tolerancePerMille' | 'toleranceKg'>;

/**
 * Parses the form. `all`: the values of fields that occur several times. The time is by the clock that the form showed
 * beside it (`visit_zone`, which older programs and forms without scripts do not send), else by `placeZone`, else by
 * the registry's. `tolerance`: of weighings that follow from earlier ones; a phone does not know it.
 */
export function readSet(
  fields: ReadonlyMap<string, string>,
  all: ReadonlyMap<string, readonly string[]>,
  {
    zone,
    placeZone = zone,
    now,
    longestIntervalDays,
    tolerance,
  }: { zone: string; placeZone?: string | undefined; now: Date; longestIntervalDays: number; tolerance?: Tolerance },
): ReadSet {
  const today = todayIn(zone, now);
  const shown = fields.get('visit_zone') ?? '';
  const clock = shown === zone ? zone : (shownZone(shown) ?? placeZone);
  const text = (name: string) => fields.get(name) ?? '';
  const grids = gridsOf(text, (name) => all.get(name) ?? []);
  const [grid = { axles: [], text, weighed: { groups: [], text } }] = grids;
  const { axles } = grid;
  const { errors: gridErrors, warnings } = judgeGrids(grids);
  const weighings = weighingsTyped(grid.weighed);
  const units = unitsIn(all.get('unit') ?? [], text, grids);
  const named = trailersNamed(grid, units);
  const visit = readForm(visitSchema(today), fields);
  const errors: Record<string, string> = {
    ...missingInGrids(grids),
    ...gridErrors,
    ...weighingRefusals(grid.weighed, { today, visitDay: (fields.get('visit_date') ?? '').trim() }),
    ...named.errors,
    ...unconfirmed(units),
    ...groupRefusals(grids),
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
  if (tolerance !== undefined) Object.assign(warnings, weighingSlips(weighings, { weighed: grid.weighed, tolerance }));
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
        ? {
            ...inputOf(visit.input, axlesOf(grid), clock),
            not_behind: notBehindIn(grid),
            ...(text('seals_same') === 'yes' ? { seals_left: visit.input.seals_found } : {}),
            trailers: trailersText(named.trailers),
            weighings: weighingsText(weighings),
            details: detailsOfForm(axles, text),
            units: units.flatMap(({ rego, grid: of }) =>
              of === undefined
                ? []
                : [{ rego, vin: of.text('vin'), axles: axlesOf(of), details: detailsOfForm(of.axles, of.text) }],
            ),
          }
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

/** A trailer of the form with a unit of its own. `grid`: undefined: it was not weighed. */
type GivenUnit = { rego: string; prefix: string; grid: UnitGrid | undefined };

// Those that were left out again are none.
const unitsIn = (regos: readonly string[], text: (name: string) => string, grids: readonly UnitGrid[]): GivenUnit[] =>
  regos
    .slice(0, UNITS_MAX)
    .map((rego, place) => ({ rego, prefix: prefixOf(place) }))
    .filter(({ prefix }) => text(`${prefix}left_out`) !== 'yes')
    .map(({ rego, prefix }) => ({ rego, prefix, grid: grids.find((one) => one.prefix === prefix) }));

const unconfirmed = (units: readonly GivenUnit[]): Record<string, string> =>
  Object.fromEntries(
    units.flatMap(({ prefix, grid }) =>
      grid === undefined || grid.text('confirmed') === 'yes'
        ? []
        : [[`${prefix}confirmed`, 'Confirm that this is the trailer in front of you.']],
    ),
  );

// Of one vehicle: a truck has no front and rear group, and a trailer nothing else.
const groupRefusals = (grids: readonly UnitGrid[]): Record<string, string> =>
  Object.fromEntries(
    grids.flatMap(({ prefix, axles }) => {
      const name = `${prefix}axle`;
      if (axles.length > GROUPS_MAX) return [[name, `A visit has at most ${GROUPS_MAX} axle groups.`]];
      const own = axles.filter((axle) => axlesOfKind('').includes(axle));
      return own.length === 0 || own.length === axles.length
        ? []
        : [[name, 'Front and Rear are groups of a trailer. Record them on its own record.']];
    }),
  );

// Of the groups that the truck's own unit read, and of those with a unit of their own.
function trailersNamed(
  { axles, text }: GivenGrid,
  units: readonly GivenUnit[],
): { trailers: NamedTrailer[]; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const trailers = axles.filter(isTrailer).flatMap((group): NamedTrailer[] => {
    const typed = text(nameOf(group, 'trailer')).trim();
    const parsed = parseRego(typed);
    if (typed === '') return [];
    if (!parsed.ok) errors[nameOf(group, 'trailer')] = parsed.message;
    return parsed.ok ? [{ group, rego: parsed.without?.rego ?? parsed.rego }] : [];
  });
  for (const [place, { rego }] of units.entries()) {
    const parsed = parseRego(rego);
    if (!parsed.ok) errors['add_unit'] = parsed.message;
    else if (units.findIndex((one) => one.rego === rego) !== place)
      errors['add_unit'] = `${rego} is there twice. Leave one of them out.`;
  }
  return { trailers: [...trailers, ...units.map(({ rego }) => ({ group: null, rego }))], errors };
}

// One that was read was there.
const notBehindIn = ({ axles, text }: GivenGrid): string =>
  axleGroupsText(
    AXLES.map(({ axle }) => axle).filter(
      (axle) => isTrailer(axle) && !axles.includes(axle) && text(nameOf(axle, 'not_behind')) === 'yes',
    ),
  );
