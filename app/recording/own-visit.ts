// The visit of the signed-in person on a truck: open, or closed a short time ago.
import { AXLES, axleLabel, type Axle } from '#app/vehicles/axle.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import { isSamePlace, type ReadingPlace } from '#app/visits/visit.ts';
import type { VisitOutcome } from '#app/visits/visit-outcome.ts';

export type OwnVisit =
  | {
      state: 'open';
      id: string;
      /** 'Open since 9:41 am: Steer complete, Drive 2 of 4'. */
      words: string;
      /** Rego and VIN were read on the truck. */
      isConfirmed: boolean;
      /** What would become of it if it were finished now. */
      ifFinished: VisitOutcome;
    }
  | {
      state: 'closed';
      id: string;
      outcome: VisitOutcome;
      /** '14 November 2026, 7:46 pm Perth (10:46 pm in Sydney)'. */
      when: string;
    };

/** How far a visit has come: 'Steer complete, Drive 2 of 4'. `fitted`: the groups that it is held against. */
export function progressWords(fitted: readonly Axle[], readings: readonly ReadingPlace[]): string {
  return AXLES.flatMap(({ axle }) => {
    const count = CALIBRATION_ATTRIBUTES.filter(({ attribute }) =>
      readings.some((one) => isSamePlace(one, { axle, attribute })),
    ).length;
    if (count === 0 && !fitted.includes(axle)) return [];
    const isAll = count === CALIBRATION_ATTRIBUTES.length;
    return [`${axleLabel(axle)} ${isAll ? 'complete' : `${count} of ${CALIBRATION_ATTRIBUTES.length}`}`];
  }).join(', ');
}
