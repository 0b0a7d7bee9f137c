// The method in words and figures, for the public page. A change of a null model, a window or a limit is a new version.
import type { PatternKind } from './pattern.ts';

export const METHOD_VERSION = 1;

/** The chance of being found at which n is called enough. */
export const ENOUGH = 0.98;

export type Method = {
  name: string;
  /** What is counted, as n and hits. */
  counts: string;
  /** What honest records look like. */
  nullModel: string;
  /** The share that is faked, for which the n that is needed is stated. */
  effect: number;
  cannotSee: string;
};

export const METHOD: Readonly<Record<PatternKind, Method>> = {
  'copied-axle-sets': {
    name: 'Copied axle sets',
    counts: 'Visits; those of which all readings, of two axle groups or more, are those of another truck’s visit.',
    nullModel:
      'Equal readings come by slips as common as with the others, and by chance as often as near readings lie on one step.',
    effect: 0.05,
    cannotSee:
      'A copy with one reading changed in each axle group; a single copied axle group of a truck of the same make.',
  },
  'same-as-before': {
    name: 'Same as this truck’s visit before',
    counts: 'Visits on a truck that had one before; those with the same readings to the digit.',
    nullModel: 'A visit is repeated only by a slip, as often as with the others.',
    effect: 0.05,
    cannotSee: 'A copy with one reading changed; a visit from before the window.',
  },
  'invented-volts': {
    name: 'Invented digits: volts',
    counts: 'Readings in volts, in steps of the truck’s display; those that are a multiple of five steps.',
    nullModel: 'In steps of the display, numbers modulo 5 are even: one in five each.',
    effect: 0.3,
    cannotSee:
      'Anybody who invents with a random number; anybody who rounds every reading, which looks like a display with larger steps.',
  },
  'invented-kilograms': {
    name: 'Invented digits: kilograms',
    counts: 'Weights from a weighbridge of the register, in its steps; those that are a multiple of five steps.',
    nullModel: 'In steps of the weighbridge, weights modulo 5 are even: one in five each.',
    effect: 0.3,
    cannotSee: 'Weights without a weighbridge of the register, or from one with fewer than 20 weights.',
  },
  'never-found-out': {
    name: 'Never found one out',
    counts: 'Visits with as-found readings; those that found an axle out of tolerance.',
    nullModel: 'Scales are found out as often as by the others, whose shares differ as much as is seen.',
    effect: 1,
    cannotSee: 'Most technicians: a year has too few as-found readings. Anybody who invents a few that are out.',
  },
  'found-as-left': {
    name: 'Found as left',
    counts:
      'Visits with as-found readings; those equal at both loads to what was left, at this visit or the one before.',
    nullModel: 'A scale is found exactly right as often as by the others, whose shares differ as much as is seen.',
    effect: 0.5,
    cannotSee: 'Invented readings that differ by one step.',
  },
  'sensor-replaced': {
    name: 'Sensor replaced',
    counts: 'Visits; those that state a replaced sensor.',
    nullModel: 'Sensors are replaced as often as with the others, whose shares differ as much as is seen.',
    effect: 0.3,
    cannotSee: 'Whether a sensor was replaced. A workshop that only repairs is listed, and has its answer.',
  },
  'other-trailer': {
    name: 'Other trailer',
    counts: 'Visits; those that state another trailer.',
    nullModel: 'Trailers change as often as with the others, whose shares differ as much as is seen.',
    effect: 0.5,
    cannotSee: 'Whether the trailer was another one. A technician of one fleet that changes trailers has his answer.',
  },
  'too-fast': {
    name: 'Too fast',
    counts: 'Complete visits with a stated time; those beyond the fourth truck within 60 minutes.',
    nullModel: 'More than four in an hour only by a slip, as often as with the others. Rounded times are allowed for.',
    effect: 0.1,
    cannotSee: 'Invented times that are well spread.',
  },
  'too-far': {
    name: 'Too far',
    counts: 'Visits at a weighbridge of the register with a stated time; those too far from the last for 110 km/h.',
    nullModel:
      'Such a visit only by a slip, such as a wrong day, as often as with the others. Rounded times are allowed for.',
    effect: 0.1,
    cannotSee: 'Invented times that are well spread; a technician who flies is listed, and has his answer.',
  },
  'ticket-twice': {
    name: 'Ticket used twice',
    counts:
      'Visits with a ticket number at a weighbridge of the register; those whose number another truck or day has.',
    nullModel: 'Numbers meet by slips as common as with the others, and as often as counters begin again.',
    effect: 0.1,
    cannotSee: 'Invented numbers that nobody has used; numbers at weighbridges outside the register.',
  },
  'photo-twice': {
    name: 'Photo used twice',
    counts: 'Visits with a photo; those whose photo is another visit’s, or looks like one of the same technician.',
    nullModel: 'A photo comes twice by slips, and looks like another by chance, as often as with the others.',
    effect: 0.1,
    cannotSee: 'A photo that is cropped by much or turned; plain pictures; further photos of a visit.',
  },
  'next-disagrees': {
    name: 'Next one disagrees',
    counts: 'Visits whose truck was then visited by somebody else; those with which that visit disagrees.',
    nullModel: 'Scales drift as with the others: the shares of technicians differ as much as is seen.',
    effect: 0.5,
    cannotSee: 'Which of the two is right. Trucks that nobody else visits.',
  },
};
