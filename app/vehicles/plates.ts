// The plates that a vehicle has and had: what a change of them says, and the words for it.
import { formatDay } from '#app/platform/time/calendar.ts';
import { STATE } from './state-in.ts';

/** '': not known. */
export const PLATE_STATES = STATE.split('|').map((state) => ({ value: state, label: state }));
export const STATE_CHOICES = [...PLATE_STATES, { value: '', label: 'Not known' }];

const NAMES: Readonly<Record<string, string>> = {
  NSW: 'New South Wales',
  VIC: 'Victoria',
  QLD: 'Queensland',
  SA: 'South Australia',
  WA: 'Western Australia',
  TAS: 'Tasmania',
  NT: 'Northern Territory',
  ACT: 'Australian Capital Territory',
};
export const stateName = (state: string): string => NAMES[state] ?? 'State not known';

/** Why a plate is changed. */
export const WHYS = [
  { value: 'sold', label: 'Sold' },
  { value: 'another-state', label: 'Another state' },
  { value: 'lost', label: 'Lost or stolen' },
  { value: 'personalised', label: 'Personalised' },
  { value: 'typed-wrong', label: 'Typed wrong' },
] as const;
export type Why = (typeof WHYS)[number]['value'];
/** Why a vehicle has a plate no longer: also because it was that of another record of the same truck. */
export const ENDS = [...WHYS.map(({ value }) => value), 'joined'] as const;

/** A plate that a vehicle had. `sinceOn` null: from before. `isJoined`: it came with another record of the truck. */
export type FormerPlate = {
  rego: string;
  state: string;
  sinceOn: string | null;
  untilOn: string;
  why: (typeof ENDS)[number];
  isJoined: boolean;
};

/** The plates that its own record had, in the order of the changes. */
export const ownPlates = (formers: readonly FormerPlate[]): FormerPlate[] =>
  formers.filter(({ isJoined }) => !isJoined);

/**
 * Since when a vehicle has the plate that it has; null: not known. `formers`: in the order of the changes. One that was
 * typed wrong never was on the truck, so the present one is as old.
 */
export function plateSince(formers: readonly FormerPlate[]): string | null {
  const last = ownPlates(formers).at(-1);
  if (last === undefined) return null;
  return last.why === 'typed-wrong' ? last.sinceOn : last.untilOn;
}

/** A plate as people name it: its text, with the state where that is known. */
export const plateWords = (text: string, state: string): string => (state === '' ? text : `${text} ${state}`);

/** 'this truck's plate until 3 May 2026', half a sentence. */
export const untilWords = ({ untilOn, why }: Pick<FormerPlate, 'untilOn' | 'why'>): string => {
  if (why === 'joined') return `another record of this truck until ${formatDay(untilOn)}`;
  return `${why === 'typed-wrong' ? 'written here by mistake' : 'this truck’s plate'} until ${formatDay(untilOn)}`;
};

/** The time in which a truck had a plate. `untilOn` null: it has it. `rego`: what the truck is called now. */
export type PlatePeriod = {
  id: string;
  rego: string;
  plate: string;
  state: string;
  sinceOn: string | null;
  untilOn: string | null;
};

/**
 * Who had it on `day`, of the periods of one text in the order in which they ended. Where it is not known since when a
 * truck had it, it had it since the one before, unless that had it for no day.
 */
export function bearersOn<Period extends PlatePeriod>(periods: readonly Period[], day: string): Period[] {
  const lasting = periods.filter(({ sinceOn, untilOn }) => sinceOn === null || sinceOn !== untilOn);
  const on = lasting.filter(({ state, sinceOn, untilOn }, place) => {
    const before = lasting.slice(0, place).findLast((one) => mayBeSame(one.state, state));
    const since = sinceOn ?? before?.untilOn ?? null;
    return (since === null || since <= day) && (untilOn === null || untilOn > day);
  });
  return on.filter(({ state }, place) => !on.slice(0, place).some((earlier) => mayBeSame(earlier.state, state)));
}

/** Whether two plates with one text may be of the same state. */
export const mayBeSame = (a: string, b: string): boolean => a === '' || b === '' || a === b;
