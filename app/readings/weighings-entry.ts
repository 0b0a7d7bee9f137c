// The weighings in the form of a visit: what is typed for each load becomes weighings, and the masses of the groups
// that come out stand for the weights that are not typed. Browser and server read the form by these rules.
import { oneLine } from '#app/platform/process/typed-text.ts';
import { readNumber } from '#app/platform/http/entered-number.ts';
import { AXLES, type Axle } from '#app/vehicles/axle.ts';
import { formatValue } from './calibration.ts';
import { SIDES, sideName } from './sides.ts';
import { massesOf, type Masses } from './masses-of.ts';
import { exampleOf } from './reading-words.ts';
import { deckWords, LOADS, onDeckName, WEIGHINGS_MAX, type Load, type OnDeck, type Weighing } from './weighings.ts';

/** How a load was weighed. 'whole': the ticket of the whole is asked for, beside the groups by themselves. */
export const WAYS = [
  { value: 'each', label: 'Each group by itself' },
  { value: 'steps', label: 'One after the other' },
  { value: 'whole', label: 'All on one deck' },
] as const;

export const wayName = (load: Load): string => `${load}_way`;

/** A group that is read: of the form's own vehicle, or of a trailer beside it, whose fields begin with `prefix`. */
export type Standing = OnDeck & { prefix: string };

/** Names a weighing by the group that is the last on the deck, as in 'DRIVE' or 'u1_REAR'. */
export const placeOf = ({ prefix, axle }: Pick<Standing, 'prefix' | 'axle'>): string => `${prefix}${axle}`;
/** The ticket of the whole. */
export const GROSS = 'GROSS';
/** 'deck': what it shows. 'alone': 'yes': only this group stood on it. The others: '' as the weighing before. */
export type Part = 'deck' | 'ticket' | 'on' | 'at' | 'alone';
export const weighingName = (place: string, load: Load, part: Part): string => `${place}_${load}_${part}`;

/** `groups`: those of all units, from the front. `text`: of the field with this name in the form. */
export type GivenWeighings = { groups: readonly Standing[]; text: (name: string) => string };
type Given = GivenWeighings;

/** The groups of one unit, from the front. */
export const standing = (axles: readonly Axle[], { prefix, rego }: Omit<Standing, 'axle'>): Standing[] =>
  AXLES.flatMap(({ axle }) => (axles.includes(axle) ? [{ axle, prefix, rego }] : []));

type Step = { place: string; deck: readonly Standing[]; name: string; kg: number | undefined };
/** `steps`: in order; `kg` undefined: not typed, or no number. */
type LoadGiven = { load: Load; way: string; steps: Step[]; masses: Masses };

const WEIGHT = /^([A-Z]+)_(empty|loaded|check)_weight$/;

function loadGiven({ groups, text }: Given, load: Load): LoadGiven {
  const way = text(wayName(load));
  const kgIn = (name: string) => {
    const entered = readNumber(text(name), '', 'kg');
    return entered.ok ? Number(entered.value) : undefined;
  };
  const steps = groups.map((group, at): Step => {
    const place = placeOf(group);
    const isCumulative = way === 'steps' && text(weighingName(place, load, 'alone')) !== 'yes';
    const name = way === 'steps' ? weighingName(place, load, 'deck') : `${place}_${load}_weight`;
    return { place, deck: isCumulative ? groups.slice(0, at + 1) : [group], name, kg: kgIn(name) };
  });
  const gross = weighingName(GROSS, load, 'deck');
  steps.push({ place: GROSS, deck: groups, name: gross, kg: kgIn(gross) });
  const typed = steps.flatMap(({ deck, kg }) => (kg === undefined ? [] : [{ deck: deck.map(placeOf), kg, e: null }]));
  return { load, way, steps, masses: massesOf(groups.map(placeOf), typed) };
}

/**
 * The weighings of the form, in order. A load is among them where it was weighed in steps or as a whole, or where one
 * of its weighings has a ticket, a day or a weighbridge of its own.
 */
export function weighingsTyped(given: Given): Weighing[] {
  const { text } = given;
  return LOADS.flatMap(({ load }) => {
    const { way, steps } = loadGiven(given, load);
    const parts = ['ticket', 'on', 'at'] as const;
    const ownOf = (place: string) =>
      parts.flatMap((part) => {
        const value = oneLine(text(weighingName(place, load, part)));
        return value === '' ? [] : [[part, value]];
      });
    const isSaid = way === 'steps' || steps.some((one) => ownOf(one.place).length > 0 || isGross(one));
    let before: Pick<Weighing, 'on' | 'at'> = {};
    return steps.flatMap(({ place, deck, kg }): Weighing[] => {
      if (!isSaid || kg === undefined) return [];
      const own: Partial<Record<(typeof parts)[number], string>> = Object.fromEntries(ownOf(place));
      const { ticket, ...where } = own;
      before = { ...before, ...where };
      return [
        {
          load,
          deck: deck.map(onDeckName),
          kg: Math.round(kg),
          ...before,
          ...(ticket === undefined ? {} : { ticket }),
        },
      ];
    });
  });
}

const isTogether = (way: string): boolean => way === 'steps' || way === 'whole';

const isGross = ({ place, kg }: Step): boolean => place === GROSS && kg !== undefined;

/** The text of the field `name` of the unit `prefix`, with the masses that come out for weights that are not typed. */
export function withMasses(given: Given, prefix: string): (name: string) => string {
  const known = new Map<Load, LoadGiven>();
  const { text } = given;
  return (name) => {
    const [, axle = '', of] = WEIGHT.exec(name) ?? [];
    const typed = text(prefix + name);
    const load = LOADS.find((one) => one.load === of)?.load;
    const way = load === undefined ? '' : text(wayName(load));
    if (load === undefined || !(way === 'steps' || (way === 'whole' && typed.trim() === ''))) return typed;
    const found = known.get(load) ?? loadGiven(given, load);
    known.set(load, found);
    const mass = found.masses.masses[prefix + axle] ?? 0;
    // The output at a check load says that the group was there; without it its mass is not asked for.
    const output = `${prefix}${axle}_check_volt`;
    const outputs = [output, ...SIDES.map((side) => sideName(output, side))].map(text).join('');
    if (load === 'check' && outputs.trim() === '') return '';
    return mass > 0 ? String(mass) : '';
  };
}

/** The name in the form of the field in which the value of the unit's field `name` is typed. */
export function typedAt({ text }: Given, prefix: string, name: string): string {
  const [, axle, of] = WEIGHT.exec(name) ?? [];
  return prefix + (of !== undefined && text(`${of}_way`) === 'steps' ? `${axle}_${of}_deck` : name);
}

/** What is wrong in the fields of weighings that are filled in. */
export function weighingErrors(given: Given): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { load } of LOADS) {
    const { way, steps, masses } = loadGiven(given, load);
    for (const [at, { place, deck, name, kg }] of steps.entries()) {
      const text = given.text(name).trim();
      if (text === '' || (place !== GROSS && way !== 'steps')) continue;
      const entered = readNumber(text, exampleOf('kg'), 'kg');
      const mass = masses.masses[place];
      if (!entered.ok) errors[name] = entered.message;
      else if (!Number.isInteger(kg)) errors[name] = 'What a deck shows is whole kilograms.';
      else if (Number(kg) <= 0) errors[name] = 'A weight is above zero.';
      else if (mass !== undefined && mass <= 0 && place !== GROSS) errors[name] = noMassWords(deck, steps.slice(0, at));
    }
  }
  if (weighingsTyped(given).length > WEIGHINGS_MAX)
    errors[weighingName(GROSS, 'empty', 'deck')] = `A visit has at most ${WEIGHINGS_MAX} weighings.`;
  return errors;
}

function noMassWords(deck: Step['deck'], earlier: readonly Step[]): string {
  const group = lastWords(deck);
  const before = earlier.findLast(({ kg }) => kg !== undefined)?.kg;
  return before === undefined
    ? `No mass comes out for ${group}.`
    : `Not more than the weighing before (${formatValue(String(before))}\u00a0kg). Was it ${group} alone?`;
}

const lastWords = (deck: Step['deck']): string => deckWords(deck.slice(-1).map(onDeckName));

/** Errors for the weighings that a mass still needs. */
export function weighingsMissing(given: Given): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { load } of LOADS) {
    const { way, steps, masses } = loadGiven(given, load);
    const gross = steps.at(-1);
    if (way === 'whole' && gross !== undefined && gross.kg === undefined)
      errors[gross.name] = 'Enter what the deck shows with the whole on it.';
    const isAsked = load === 'check' ? way === 'steps' && steps.some(({ kg }) => kg !== undefined) : isTogether(way);
    if (!isAsked) continue;
    for (const { place, deck, name, kg } of steps)
      if (place !== GROSS && masses.missing.includes(place))
        errors[name] =
          kg === undefined
            ? `${lastWords(deck)} still needs a weighing: what the deck shows with ${deckWords(deck.map(onDeckName))}.`
            : `${lastWords(deck)} comes out when the weighings before it are typed.`;
  }
  return errors;
}

/** '16,120 kg: 21,920 − 5,800', 'as read', or which weighing is missing; '' where nothing is typed. */
export function comesOut(given: Given, place: string, load: Load): string {
  const { steps, masses } = loadGiven(given, load);
  const mass = masses.masses[place];
  if (mass === undefined) {
    const next = steps.find(({ kg, deck }) => kg === undefined && deck.some((one) => placeOf(one) === place));
    const isBegun = steps.some(({ kg }) => kg !== undefined);
    return isBegun && next !== undefined
      ? `needs ${next.deck.length === steps.at(-1)?.deck.length ? 'the whole' : deckWords(next.deck.map(onDeckName))}`
      : '';
  }
  const typed = steps.flatMap(({ kg }) => (kg === undefined ? [] : [kg]));
  const shares = (masses.shares[place] ?? []).toSorted((one, other) => other.weighing - one.weighing);
  const sum = shares.map(({ weighing, n, d }, at) => {
    const [part, shown] = [d === 1 ? '' : `/${d}`, formatValue(String(typed[weighing] ?? 0))];
    const sign = n < 0 ? '− ' : '+ ';
    return `${at === 0 && n > 0 ? '' : sign}${Math.abs(n) === 1 ? '' : `${Math.abs(n)} × `}${shown}${part}`;
  });
  return `${formatValue(String(mass))}\u00a0kg: ${sum.length === 1 ? 'as read' : sum.join(' ')}`;
}

/** '40,200 kg by groups: 20 kg more, allowed 120 kg'; '' without a ticket of the whole that follows from others. */
export function grossWords(given: Given, load: Load): string {
  const { steps, masses } = loadGiven(given, load);
  const gross = steps.at(-1);
  const check = masses.checks.at(-1);
  const last = steps.filter((one) => one.kg !== undefined).length - 1;
  if (gross?.kg === undefined || check?.weighing !== last) return '';
  const kg = (value: number) => `${formatValue(String(Math.round(value)))}\u00a0kg`;
  const { differenceKg: difference } = check;
  return `Groups ${kg(gross.kg - difference)}: ${kg(Math.abs(difference))} apart, allowed ${kg(check.allowedKg)}`;
}
