// Whether a person may calibrate on a day: admitted, not suspended, and the trade licence not past its end.

/** Days of the registry's zone, both included. `to` null: it has no end yet. */
type Period = { from: string; to: string | null };

/** One time in which a person was a technician or an admin. `from` null: from long before, as in an imported record. */
export type Admission = {
  from: string | null;
  to: string | null;
  suspensions: readonly Period[];
  /** The last day on which the licence is valid. Null: not known. */
  licenceEndsOn: string | null;
};

/** Whether one of `admissions` covers `day`, with no suspension on it and no licence that has ended. */
export function isInGoodStanding(admissions: readonly Admission[], day: string): boolean {
  return admissions.some(
    ({ from, to, suspensions, licenceEndsOn }) =>
      (from === null || from <= day) &&
      (to === null || day <= to) &&
      (licenceEndsOn === null || day <= licenceEndsOn) &&
      !suspensions.some((suspension) => covers(suspension, day)),
  );
}

/** Whether `day` lies in the period. */
const covers = ({ from, to }: Period, day: string): boolean => from <= day && (to === null || day <= to);
