// The method in words and figures, for the public page. A change of a null model, a window or a limit is a new version.
import type { PatternKind } from './pattern.ts';

export const METHOD_VERSION = 2;

export type Method = {
  name: string;
  /** What is counted, as n and hits. */
  counts: string;
  /** What honest records look like. */
  nullModel: string;
  /** The share that is faked, for which the power is stated. */
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
  'moved-a-step': {
    name: 'The visit before, moved a step',
    counts: 'Visits on a truck that had one before; those with each reading within 0.01 V and 20 kg of it.',
    nullModel: 'A stable truck repeats itself so nearly as seldom as with the others.',
    effect: 0.1,
    cannotSee: 'Readings moved by more than a step.',
  },
  'line-stays': {
    name: 'A weight chosen so that the line stays',
    counts:
      'Visits 60 days or more after the truck’s last; those whose loaded weights all lie within 25 kg of the line before.',
    nullModel: 'Scales drift as with the others, whose shares differ as much as is seen.',
    effect: 0.5,
    cannotSee: 'A weight chosen with a little drift. A fleet of steady sensors is listed, and has its answer.',
  },
  'cannot-be-shown': {
    name: 'Weights that the weighbridge cannot show',
    counts: 'Visits at a weighbridge whose step the register knows; those with a weight between its steps.',
    nullModel:
      'A weight between the steps is a slip, as common as with the others. The mean of two or three weighings lies between them, and is none.',
    effect: 0.1,
    cannotSee:
      'Invented weights on the steps; weighbridges with fewer than three people, or with a wrong step in the register.',
  },
  'invented-volts': {
    name: 'Invented digits: volts',
    counts: 'Readings in volts, in the steps of the visit; those that are a multiple of five steps.',
    nullModel:
      'In their steps, numbers modulo 5 are even: one in five each. A visit rounded as a whole has coarser steps.',
    effect: 0.3,
    cannotSee:
      'Anybody who invents with a random number; anybody who rounds all readings of a visit, which looks like a display with larger steps.',
  },
  'invented-kilograms': {
    name: 'Invented digits: kilograms',
    counts:
      'Weights from a weighbridge of the register, in its steps and the writer’s own; those that are a multiple of five steps.',
    nullModel: 'In those steps, weights modulo 5 are even: one in five each.',
    effect: 0.3,
    cannotSee: 'Weights without a weighbridge of the register; anybody who rounds all weights, or all of a visit.',
  },
  'never-found-out': {
    name: 'Never found one out',
    counts:
      'Visits with as-found readings, 60 days or more after the truck’s last; those that found an axle out of tolerance.',
    nullModel: 'Scales are found out as often as by the others, whose shares differ as much as is seen.',
    effect: 1,
    cannotSee: 'Most technicians: a year has too few as-found readings. Anybody who invents a few that are out.',
  },
  'found-as-left': {
    name: 'Found as left',
    counts:
      'Visits with as-found readings; those equal at both loads to what was left, at this visit or the one before.',
    nullModel:
      'A scale is found exactly right as often as by the others, whose shares differ as much as is seen, or as often as they find it within 100 kg: an honest person may write what was left there.',
    effect: 0.5,
    cannotSee: 'Invented readings that differ by one step.',
  },
  'sensor-replaced': {
    name: 'Sensor replaced',
    counts: 'Visits; those that state a replaced sensor.',
    nullModel:
      'Sensors are replaced as often as with the others, whose shares differ as much as is seen. Where most visits are repairs it stays silent.',
    effect: 0.3,
    cannotSee: 'Whether a sensor was replaced; anybody who says so of most visits.',
  },
  'other-trailer': {
    name: 'Other trailer',
    counts: 'Visits with a trailer’s axle group; those that state another trailer.',
    nullModel:
      'Trailers change as often as with the others, whose shares differ as much as is seen. Where most visits are with another one it stays silent.',
    effect: 0.4,
    cannotSee: 'Whether the trailer was another one; anybody who says so of most visits.',
  },
  'too-fast': {
    name: 'Too fast',
    counts: 'Complete visits with a stated time; those beyond the fourth truck within 60 minutes.',
    nullModel:
      'More than four in an hour only by a slip, as often as with the others. Rounded times are allowed for; times of recording one after the other are not asked.',
    effect: 0.1,
    cannotSee: 'Invented times that are well spread; anybody who always records visits minutes apart.',
  },
  'too-far': {
    name: 'Too far',
    counts: 'Visits at a weighbridge of the register with a stated time; those too far from the last for 110 km/h.',
    nullModel:
      'Such a visit only by a slip, such as a wrong day, as often as with the others. Rounded times, an aeroplane beyond 400 km, and two people under one account who go between their usual weighbridges are allowed for.',
    effect: 0.1,
    cannotSee:
      'Invented times that are well spread, or between usual weighbridges within 150 km, or often between the same ones.',
  },
  'ticket-twice': {
    name: 'Ticket used twice',
    counts:
      'Visits with a ticket number at a weighbridge of the register; those whose number another truck or day has.',
    nullModel:
      'Numbers meet by slips as common as with the others, and as often as counters begin again. One number for a day’s trucks is one ticket; a printer that begins again each day is not asked.',
    effect: 0.1,
    cannotSee: 'Invented numbers that nobody has used; numbers at weighbridges outside the register.',
  },
  'photo-twice': {
    name: 'Photo used twice',
    counts: 'Visits with a photo; those whose photo is another visit’s, or looks like one of the same technician.',
    nullModel:
      'A photo comes twice by slips, and looks like another by chance, as often as with the others. One photo of a day’s tickets, and a camera that never moves, are allowed for.',
    effect: 0.1,
    cannotSee: 'A photo that is cropped by much or turned; plain pictures; further photos of a visit.',
  },
  'take-turns': {
    name: 'Two who take turns',
    counts:
      'Visits before or after somebody else’s, of a technician who follows one partner eight times or more and agrees with them; those that disagree with anybody but the partner.',
    nullModel: 'The others disagree as often as they do with everybody, and people differ by half of that.',
    effect: 0.9,
    cannotSee: 'Two whose trucks nobody else visits.',
  },
  'bunched-at-due': {
    name: 'Bunched at due dates',
    counts:
      'Visits on a truck that had one before; those on the day on which that fell due, or in the two days before.',
    nullModel: 'Visits fall there as often as with the others. Anybody who plans most visits so is let pass.',
    effect: 0.45,
    cannotSee: 'Whether the visit was made on that day.',
  },
  'next-disagrees': {
    name: 'Next one disagrees',
    counts: 'Visits whose truck was then visited by somebody else; those with which that visit disagrees.',
    nullModel:
      'Scales drift as with the others, and whoever came next disagrees as often as they do with everybody; people differ by half of that.',
    effect: 0.5,
    cannotSee: 'Which of the two is right. Trucks that nobody else visits.',
  },
};
