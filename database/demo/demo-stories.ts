// Visits that were recorded in the demo registry itself, so that each state of a visit is there. Everything else of the demo
// is taken over from the import.
import type { Axle } from '#app/vehicles/axle.ts';
import type { Decision, DecisionReason } from '#app/visits/visit.ts';
import { EXPIRED, REPAIRED, WITHDRAWN } from './demo-weighbridges.ts';

export const MIA = 'mia.kowalski@registry.example';
export const DANIEL = 'daniel.okafor@registry.example';
const NGUYEN = 'j.nguyen@northernscales.example';
const LIAM = 'liam.oconnor@downsweighing.example';
const ANA = 'ana.petrovic@gulfscales.example';

export type DemoStory = {
  rego: string;
  by: string;
  /** Days from the visit to today, when it is recorded, and the time of that day. Left out: an hour ago. */
  on?: { daysAgo: number; time: string };
  /** A weighbridge of the register. Without: none is named. */
  weighbridge?: string;
  ticket?: string;
  /** A file of the folder tickets/. */
  photo?: string;
  notes?: string;
  /** Only these groups were read. */
  axles?: readonly Axle[];
  /** So many kilograms more than the truck's true line says, at the loaded point. */
  off?: Partial<Record<Axle, number>>;
  /** The readings are those of the visit before, digit for digit. */
  isCopied?: boolean;
  /** What an admin decides about it. */
  decided?: { by: string; decision: Decision; reason: DecisionReason; note: string };
};

export const DEMO_STORIES: readonly DemoStory[] = [
  // It counts, with all the evidence that there can be.
  {
    rego: 'XV12DE',
    by: NGUYEN,
    weighbridge: 'Red Gum weighbridge',
    ticket: '48213',
    photo: '48213.png',
  },
  // It counts, although the verification of the weighbridge had ended: the first rules only note that.
  { rego: 'S027CLF', by: ANA, on: { daysAgo: 2, time: '14:05' }, weighbridge: EXPIRED, ticket: '9071' },
  // Only one axle was read.
  {
    rego: 'XV19RS',
    by: NGUYEN,
    on: { daysAgo: 4, time: '16:20' },
    axles: ['DRIVE'],
    weighbridge: 'Red Gum weighbridge',
    ticket: '48230',
    notes: 'Air bag of the drive axle replaced. The trailers were not there.',
  },
  // It waits: one axle disagrees.
  {
    rego: 'XV77WT',
    by: NGUYEN,
    on: { daysAgo: 3, time: '11:15' },
    weighbridge: 'Red Gum weighbridge',
    ticket: '48251',
    photo: '48251.png',
    off: { DRIVE: 1240 },
  },
  // It waits: readings of the visit before were typed again.
  { rego: 'BJK709', by: NGUYEN, on: { daysAgo: 1, time: '11:30' }, isCopied: true },
  // It waits: recorded late. Mia recorded it, so another admin decides.
  {
    rego: 'CH83LM',
    by: MIA,
    on: { daysAgo: 11, time: '13:00' },
    weighbridge: REPAIRED,
    ticket: '7715',
  },
  {
    rego: 'XV46GP',
    by: NGUYEN,
    on: { daysAgo: 6, time: '15:10' },
    weighbridge: 'Blue Wren weighbridge',
    ticket: '20588',
    photo: '20588.png',
    off: { DRIVE: 980 },
    decided: {
      by: DANIEL,
      decision: 'accepted',
      reason: 'sensor-replaced',
      note: 'The workshop’s invoice names a new drive sensor, fitted the day before.',
    },
  },
  {
    rego: '1DX4RP',
    by: NGUYEN,
    on: { daysAgo: 7, time: '11:50' },
    off: { DRIVE: 2300, TRAILERA: -3100 },
    decided: {
      by: MIA,
      decision: 'set-aside',
      reason: 'wrong-truck',
      note: 'He rang: the readings are those of the truck beside it.',
    },
  },
  // Weighed on a weighbridge that was then withdrawn.
  { rego: '472XKM', by: LIAM, on: { daysAgo: 5, time: '12:20' }, weighbridge: WITHDRAWN, ticket: '31160' },
  { rego: '266RF3', by: LIAM, on: { daysAgo: 4, time: '12:45' }, weighbridge: WITHDRAWN, ticket: '31174' },
  { rego: '318VTD', by: LIAM, on: { daysAgo: 2, time: '13:35' }, weighbridge: WITHDRAWN, ticket: '31198' },
  // The day before it was withdrawn, but recorded since.
  { rego: '702XCE', by: LIAM, on: { daysAgo: 7, time: '15:25' }, weighbridge: WITHDRAWN, ticket: '31142' },
];

/** Readings recorded one by one, an axle after the other. */
export const DEMO_SINGLES: readonly { rego: string; by: string; axles: readonly Axle[] }[] = [
  // A whole visit, with nothing beside the technician's own figures.
  { rego: 'ATN482', by: NGUYEN, axles: ['STEER', 'DRIVE'] },
  // A visit that is still being recorded.
  { rego: 'XV85FN', by: NGUYEN, axles: ['STEER'] },
];

/** The days for which the weighbridge is withdrawn. */
export const DEMO_WITHDRAWAL = { fromDaysAgo: 6, toDaysAgo: 0, note: 'Its last check found it 160 kg low at 40 t.' };
