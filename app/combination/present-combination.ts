// What is said of units that are coupled, in words and as a picture: for the page, the API and the receipt.
import { formatDay } from '#app/platform/time/calendar.ts';
import { trailersIn } from '#app/readings/visit-trailers.ts';
import type { WeighedWith } from '#app/readings/weighed-with.server.ts';
import { detailsIn, detailsText, NO_DETAILS } from '#app/vehicles/group-details.ts';
import { labelled, pictureOfUnits, unitInWords, type DrawnUnit } from '#app/vehicles/picture-of-units.ts';
import type { ShownPicture } from '#app/vehicles/units-picture.tsx';
import {
  isTruck,
  labelOf,
  linesNotHeld,
  worstOf,
  WORST_FIRST,
  type AskedUnit,
  type JudgedUnit,
  type UnitRecord,
  type Word,
} from './combination.ts';
import { notHeldWords, placeOf, sentenceOf, unitWords, type Moment, type UnitWords } from './combination-words.ts';

/** What a page shows of a unit's record beside its verdict. `weighedOn`: the day of the visit that rules. */
export type RecordOfUnit = UnitRecord & {
  make: string;
  model: string;
  vin: string;
  axleGroups: string;
  groupDetails: string;
  weighedOn: string | null;
  weighedWith: WeighedWith | null;
};
export type ReadUnit = AskedUnit & { record: RecordOfUnit | null };

export type ShownUnit = UnitWords & {
  place: string;
  /** What the plate shows; a unit without a record has no page. */
  rego: string;
  hasPage: boolean;
  word: Word;
  matchesLog: boolean;
  isWorst: boolean;
  about: string;
};
export type ShownCombination = {
  since: number;
  word: Word;
  label: string;
  sentence: string;
  asAt: string;
  /** Of a day that is over: a colour is today's. */
  isPast: boolean;
  notHeld: { lead: string; rest: string } | null;
  /** Null: not all units are known. */
  picture: ShownPicture | null;
  units: ShownUnit[];
  /** What was given more than once. */
  twice: string;
  foot: string;
  policyVersion: number;
};

/** `twice`: regos that were given more than once. */
export function presentCombination(
  units: readonly JudgedUnit<ReadUnit>[],
  twice: readonly string[],
  { moment, ...told }: { moment: Moment } & Pick<ShownCombination, 'since' | 'asAt' | 'isPast' | 'policyVersion'>,
): ShownCombination {
  const worst = worstOf(units);
  const word = worst?.word ?? 'no-answer';
  return {
    ...told,
    word,
    label: told.isPast ? `It said “${labelOf(word)}”` : labelOf(word),
    sentence: told.isPast ? `It said then: “${sentenceOf(units, moment)}”` : sentenceOf(units, moment),
    notHeld: notHeldWords(linesNotHeld(units)),
    picture: drawnOf(units),
    units: units.map((unit, place) => ({
      ...unitWords(unit, moment),
      place: placeOf(unit, place),
      rego: unit.rego,
      hasPage: unit.record !== null,
      word: unit.word,
      matchesLog: unit.answer.kind !== 'found' || unit.answer.matchesLog,
      isWorst: unit === worst && word !== 'valid' && !told.isPast,
      about: aboutOf(unit),
    })),
    twice: twiceWords(twice),
    foot: `Each unit is judged by its own visits. The word for all is the worst of them: ${WORST_FIRST.map(({ label }) => label).join(', ')}.`,
  };
}

function twiceWords(twice: readonly string[]): string {
  if (twice.length === 0) return '';
  return `${twice.join(' and ')} ${twice.length === 1 ? 'was given more than once, and counts' : 'were given more than once, and count'} once.`;
}

function aboutOf({ record, rego }: ReadUnit): string {
  if (record === null) return '';
  const { make, model, vin, weighedOn, weighedWith } = record;
  const beside = weighedWith?.together.filter((other) => other !== rego) ?? [];
  return [
    [make, model].filter(Boolean).join(' '),
    vin,
    beside.length === 0 || weighedOn === null
      ? ''
      : `weighed together with ${beside.join(', ')} on ${formatDay(weighedOn)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function drawnOf(units: readonly ReadUnit[]): ShownCombination['picture'] {
  const drawn = units.map((unit) => drawnUnit(unit, units));
  const known = drawn.flatMap((unit, place) =>
    unit === undefined ? [] : [{ ...unit, name: units[place]?.rego ?? '' }],
  );
  if (known.length < drawn.length) return null;
  const words = known.map((unit) => `${unit.name}: ${unitInWords(unit)}`);
  return { ...labelled(pictureOfUnits(known)), words: `From the front. ${words.join('. ')}.` };
}

// Of a trailer without a record what the truck that names it says of its group.
function drawnUnit(unit: ReadUnit, units: readonly ReadUnit[]): DrawnUnit | undefined {
  if (unit.record !== null) return unit.record;
  for (const truck of units.filter(isTruck)) {
    const named = trailersIn(truck.record?.trailers ?? '').find(({ rego }) => rego === unit.rego);
    if (named?.group == null) continue;
    const details = detailsIn(truck.record?.groupDetails ?? '')[named.group] ?? NO_DETAILS;
    const kind = named.group.startsWith('DOLLY') ? 'dolly' : 'trailer';
    return { kind, axleGroups: 'REAR', groupDetails: detailsText({ REAR: details }) };
  }
  return undefined;
}
