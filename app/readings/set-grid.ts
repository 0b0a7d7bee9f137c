// The typed grid of a calibration set: axles × readings. The browser and the server parse and judge it by these rules.
import { readNumber } from '#app/platform/http/entered-number.ts';
import {
  detailName,
  detailsOfForm,
  detailsRefusal,
  detailsText,
  NO_DETAILS,
  outputOf,
  type GroupDetails,
} from '#app/vehicles/group-details.ts';
import { axleLabel, isAxle, isTrailer, type Axle } from '#app/vehicles/axle.ts';
import {
  GROSS,
  standing,
  typedAt,
  weighingErrors,
  weighingName,
  weighingsMissing,
  withMasses,
  type GivenWeighings,
} from './weighings-entry.ts';
import { CALIBRATION_ATTRIBUTES, READING_FIELD, type Unit } from './calibration.ts';
import { attributeWords, exampleOf } from './reading-words.ts';
import { readMoreChecks, readOutput, type CheckLoad } from './grid-outputs.ts';
import { SIDES, sideName } from './sides.ts';
import { referenceOf } from './reference-masses.ts';
import {
  explained,
  refusalsOf,
  unlikelyValue,
  warningsOf,
  type FourReadings,
  type ReadingField,
} from './calibration-line.ts';

export const READING_FIELDS = CALIBRATION_ATTRIBUTES.map(({ attribute, unit }) => ({
  field: READING_FIELD[attribute],
  label: attribute,
  unit,
}));

export const EXTRA_FIELDS = [
  { field: 'check_volt', label: 'Check volts', unit: 'V' },
  { field: 'check_weight', label: 'Check weight', unit: 'kg' },
  { field: 'as_found_empty', label: 'As found, empty', unit: 'kg' },
  { field: 'as_found_loaded', label: 'As found, loaded', unit: 'kg' },
] as const satisfies readonly { field: string; label: string; unit: Unit }[];
export type ExtraField = (typeof EXTRA_FIELDS)[number]['field'];
export type GridField = ReadingField | ExtraField;

/** The optional values of an axle; null: not measured. As found: what the display showed before adjustment, in kg. */
export type AxleExtras = Record<ExtraField, string | null> & {
  sensor_replaced: boolean;
  other_trailer: boolean;
  /** Of the check load, as of a reading. */
  check_sides?: string | undefined;
  /** Check loads beside the first. */
  more_checks?: CheckLoad[] | undefined;
};
/** `readings`: only weights where the group was weighed without a sensor. `sides`: of outputs that are a mean. */
export type SetAxle = {
  axle: Axle;
  readings: Partial<FourReadings>;
  extras: AxleExtras;
  sides?: Partial<Record<ReadingField, string>>;
};

/** The check loads of a group, the first first. */
export const checkLoadsOf = (extras: Partial<AxleExtras> | undefined): CheckLoad[] => {
  const { check_volt: volt = null, check_weight: weight = null, check_sides: sides, more_checks = [] } = extras ?? {};
  if (volt === null || weight === null) return more_checks;
  return [{ volt, weight, ...(sides === undefined ? {} : { sides }) }, ...more_checks];
};

/** The form's values: the axles that were read, and the text of each field. */
export type GivenGrid = { axles: readonly Axle[]; text: (name: string) => string };
/**
 * The grid of one unit. `prefix`: of the names of its fields in the form; '' is the vehicle that the form is of. Its
 * weights may come out of `weighed`, the weighings of the whole form.
 */
export type UnitGrid = GivenGrid & { prefix: string; weighed: GivenWeighings };

/** Trailers weighed together with the truck. */
export const UNITS_MAX = 5;
export const prefixOf = (place: number): string => `u${place + 1}_`;

/** The grids of a form: of its own vehicle, and of each trailer with a unit of its own that was weighed with it. */
export function gridsOf(text: (name: string) => string, all: (name: string) => readonly string[]): UnitGrid[] {
  const units = all('unit')
    .slice(0, UNITS_MAX)
    .map((rego, place) => ({ rego, prefix: prefixOf(place) }));
  const there = [{ rego: '', prefix: '' }, ...units]
    .filter(({ prefix }) => text(`${prefix}left_out`) !== 'yes')
    .map((unit) => ({ ...unit, axles: [...new Set(all(`${unit.prefix}axle`).filter(isAxle))] }));
  const weighed = { groups: there.flatMap(({ axles, ...unit }) => standing(axles, unit)), text };
  return there
    .map(({ prefix, axles }) => ({ prefix, axles, weighed, text: withMasses(weighed, prefix) }))
    .filter(({ prefix, axles }) => prefix === '' || axles.length > 0);
}

/** `judgeGrid` of each, under the names of the form. */
export function judgeGrids(grids: readonly UnitGrid[]): GridRemarks {
  const remarks: GridRemarks = { errors: {}, warnings: {} };
  for (const { prefix, weighed, ...grid } of grids) {
    const { errors, warnings } = judgeGrid(grid);
    for (const [name, message] of Object.entries(errors)) remarks.errors[typedAt(weighed, prefix, name)] = message;
    for (const [name, { code, message }] of Object.entries(warnings))
      remarks.warnings[typedAt(weighed, prefix, name)] = { code: prefix + code, message };
    if (prefix === '') Object.assign(remarks.errors, weighingErrors(weighed));
  }
  return remarks;
}

/** `missingIn` of each, and the weighings that a mass still needs. */
export const missingInGrids = (grids: readonly UnitGrid[]): Record<string, string> => ({
  ...Object.fromEntries(
    grids.flatMap((grid) =>
      Object.entries(missingIn(grid)).map(([name, message]) => [typedAt(grid.weighed, grid.prefix, name), message]),
    ),
  ),
  ...(grids[0] === undefined ? {} : weighingsMissing(grids[0].weighed)),
});

/**
 * By field name. A warning's code identifies the slip and its value, so that the form confirms only warnings that it
 * showed.
 */
export type GridRemarks = {
  errors: Record<string, string>;
  warnings: Record<string, { code: string; message: string }>;
};

export const nameOf = (
  axle: Axle,
  field: GridField | 'sensor_replaced' | 'other_trailer' | 'not_behind' | 'trailer' | 'more_checks',
): string => `${axle}_${field}`;

/** Judges the fields that are filled in. Ignores empty fields (`missingIn` lists them). */
export function judgeGrid({ axles, text: textOf }: GivenGrid): GridRemarks {
  const errors: GridRemarks['errors'] = {};
  const warnings: GridRemarks['warnings'] = {};
  for (const axle of axles) {
    const values: Partial<Record<GridField, string>> = {};
    const details = detailsOfForm([axle], textOf)[axle] ?? NO_DETAILS;
    const output = outputOf(details);
    for (const { field, unit } of [...READING_FIELDS, ...EXTRA_FIELDS]) {
      const name = nameOf(axle, field);
      if (unit === 'V') {
        const read = readOutput(name, textOf, details);
        Object.assign(errors, read.errors);
        if (read.value !== undefined) values[field] = read.value;
        if (read.apart !== undefined)
          warnings[sideName(name, 'right')] = { code: `${name}:apart:${read.value ?? ''}`, message: read.apart };
        continue;
      }
      const text = textOf(name).trim();
      if (text === '') continue;
      const entered = readNumber(text, exampleOf(unit), unit);
      if (!entered.ok) errors[name] = entered.message;
      else if (entered.value.startsWith('-')) errors[name] = 'A weight cannot be below zero.';
      else values[field] = entered.value;
    }
    const more = readMoreChecks(textOf(nameOf(axle, 'more_checks')), details);
    if (more.error !== undefined) errors[nameOf(axle, 'more_checks')] = more.error;
    const given: Partial<FourReadings> = output === 'V' ? values : { ...values, unit: output };
    for (const refusal of refusalsOf(given)) {
      const { field, message } = explained(given, refusal);
      errors[nameOf(axle, field)] ??= message;
    }
    const warn = (field: GridField, kind: string, message: string) => {
      const name = nameOf(axle, field);
      const value = values[field] ?? '';
      if (errors[name] === undefined) warnings[name] ??= { code: `${name}:${kind}:${value}`, message };
    };
    const refused = detailsRefusal(detailsText({ [axle]: details }));
    if (refused !== undefined) errors[detailName(axle, 'kg')] = refused;
    const reference = referenceOf(axle, details);
    for (const { field, kind, message } of warningsOf(axle, given, reference)) warn(field, kind, message);
    for (const { field, unit } of EXTRA_FIELDS) {
      const value = values[field];
      const unlikely = value === undefined ? undefined : unlikelyValue(value, unit === 'V' ? output : unit);
      if (unlikely !== undefined) warn(field, unlikely.kind, unlikely.message);
    }
  }
  return { errors, warnings };
}

/** Errors for required fields that are empty. */
export function missingIn({ axles, text, weighed }: UnitGrid): Record<string, string> {
  const errors: Record<string, string> = {};
  const isGrossGiven = weighed.text(weighingName(GROSS, 'check', 'deck')).trim() !== '';
  for (const axle of axles) {
    const details = detailsOfForm([axle], text)[axle] ?? NO_DETAILS;
    const names = (field: GridField) => [
      nameOf(axle, field),
      ...SIDES.map((side) => sideName(nameOf(axle, field), side)),
    ];
    const isEmpty = (field: GridField) => names(field).every((name) => text(name).trim() === '');
    const wanted = READING_FIELDS.filter(({ unit }) => unit === 'kg' || details.sensors !== 'no-sensor');
    if (wanted.every(({ field }) => isEmpty(field))) {
      errors[boxOf(axle, wanted[0]?.field ?? 'empty_weight', details)] =
        `Enter the readings of ${axleLabel(axle)}, or untick this axle.`;
      continue;
    }
    for (const { field, label } of wanted)
      if (isEmpty(field))
        errors[boxOf(axle, field, details)] = `Enter the ${lower(attributeWords(label, outputOf(details)))}.`;
    if (details.sensors === 'no-sensor') continue;
    const words = outputOf(details) === 'V' ? 'volts' : 'output';
    if (isEmpty('check_volt') && !isEmpty('check_weight'))
      errors[boxOf(axle, 'check_volt', details)] = `Enter the ${words} of the check load too.`;
    if (isEmpty('check_weight') && !isEmpty('check_volt') && !isGrossGiven)
      errors[nameOf(axle, 'check_weight')] = 'Enter the weight of the check load too.';
  }
  return errors;
}

// 'Empty Volt' in the middle of a sentence; units keep their letters.
const lower = (words: string): string => {
  const [name = '', unit] = words.split(', ');
  return `${name.toLowerCase()}${unit === undefined ? '' : `, ${unit}`}`;
};

// Where an output is typed, of two sensors the left one.
const boxOf = (axle: Axle, field: GridField, { sensors }: GroupDetails): string =>
  sensors === 'left-right' && field.endsWith('_volt') ? sideName(nameOf(axle, field), 'left') : nameOf(axle, field);

/** The axles of a grid without missing or wrong values. */
export function axlesOf({ axles, text }: GivenGrid): SetAxle[] {
  return axles.map((axle) => {
    const details = detailsOfForm([axle], text)[axle] ?? NO_DETAILS;
    const weight = (field: GridField) => {
      const entered = readNumber(text(nameOf(axle, field)), '', 'kg');
      return entered.ok ? entered.value : undefined;
    };
    const output = (field: GridField) => readOutput(nameOf(axle, field), text, details);
    const [empty, loaded, check] = [output('empty_volt'), output('loaded_volt'), output('check_volt')];
    const unit = outputOf(details);
    const { loads } =
      details.sensors === 'no-sensor' ? NO_LOADS : readMoreChecks(text(nameOf(axle, 'more_checks')), details);
    return {
      axle,
      readings: given({
        empty_volt: empty.value,
        empty_weight: weight('empty_weight') ?? '',
        loaded_volt: loaded.value,
        loaded_weight: weight('loaded_weight') ?? '',
        unit: unit === 'V' || empty.value === undefined ? undefined : unit,
      }),
      ...(empty.sides === undefined && loaded.sides === undefined
        ? {}
        : { sides: given({ empty_volt: empty.sides, loaded_volt: loaded.sides }) }),
      extras: {
        check_volt: check.value ?? null,
        check_weight: check.value === undefined ? null : (weight('check_weight') ?? null),
        as_found_empty: weight('as_found_empty') ?? null,
        as_found_loaded: weight('as_found_loaded') ?? null,
        sensor_replaced: text(nameOf(axle, 'sensor_replaced')) === 'yes',
        other_trailer: isTrailer(axle) && text(nameOf(axle, 'other_trailer')) === 'yes',
        ...given({ check_sides: check.sides, more_checks: loads.length === 0 ? undefined : loads }),
      },
    };
  });
}
const NO_LOADS: { loads: CheckLoad[] } = { loads: [] };

/** Without what is undefined. */
function given<T extends object>(all: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const known: { [Name in keyof T]?: Exclude<T[Name], undefined> } = { ...all };
  for (const name in known) if (known[name] === undefined) delete known[name];
  return known;
}

/** Of a group, as they are stored: without a sensor only its weights. */
export const readingsOfAxle = ({ axle, readings, sides }: SetAxle) =>
  READING_FIELDS.flatMap(({ field, label: attribute, unit }) => {
    const value = readings[field];
    const output = unit === 'V' && readings.unit !== 'mixed' && readings.unit !== 'V' ? readings.unit : undefined;
    return value === undefined ? [] : [{ axle, attribute, value, unit: output ?? null, sides: sides?.[field] ?? null }];
  });

/** What is typed in a form of the grid. */
export const gridsIn = (form: FormData): UnitGrid[] =>
  gridsOf(
    (name) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    },
    (name) => form.getAll(name).map(String),
  );

/** An older visit causes a warning. */
export const VISIT_OLD_DAYS = 30;
