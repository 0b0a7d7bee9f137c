// Visits that are recorded in the demo itself, so that each state of a visit is there.
import type { Decision, DecisionReason } from '#app/visits/visit.ts';
import { DANIEL, MIA } from './people.ts';
import { tableOf } from './table.ts';

export const NGUYEN = 'j.nguyen@northernscales.example';

/**
 * `daysAgo` and `at`: of the visit; left empty, it was an hour ago. A photo is a file of the folder tickets/, named
 * after the ticket. `read`: an axle, where it is the only one; `copied`: the readings are those of the visit before,
 * digit for digit. `off`: axles, and how many kilograms more than their true line says at the loaded point.
 */
export const DEMO_STORIES = tableOf('stories');

export type DemoDecision = { by: string; decision: Decision; reason: DecisionReason; note: string };

/** By rego. */
export const DEMO_DECISIONS: Readonly<Record<string, DemoDecision>> = {
  XV46GP: {
    by: DANIEL,
    decision: 'accepted',
    reason: 'sensor-replaced',
    note: 'The workshop’s invoice names a new drive sensor, fitted the day before.',
  },
  '1DX4RP': {
    by: MIA,
    decision: 'set-aside',
    reason: 'wrong-truck',
    note: 'He rang: the readings are those of the truck beside it.',
  },
};

/** A visit that is still being recorded, reading by reading. */
export const STILL_OPEN = { rego: 'XV85FN', by: NGUYEN, axle: 'STEER' } as const;

/** The days for which a weighbridge is withdrawn. */
export const DEMO_WITHDRAWAL = { fromDaysAgo: 6, toDaysAgo: 0, note: 'Its last check found it 160 kg low at 40 t.' };
