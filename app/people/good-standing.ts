// Whether a person may calibrate on a day: admitted, not suspended, and the trade licence not past its end.

import { formatDay } from '#app/platform/time/calendar.ts';

/** Days of the registry's zone, both included. `to` null: not lifted. Lifted from its first day on, it has no day. */
export type Suspended = { from: string; to: string | null };

/** One time in which a person was a technician or an admin. `from` null: from long before, as in an imported record. */
export type Admission = {
  from: string | null;
  to: string | null;
  suspensions: readonly Suspended[];
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

const covers = ({ from, to }: Suspended, day: string): boolean => from <= day && (to === null || day <= to);

/** 'Suspended from 3 December 2026', with the last day where it was lifted. */
export const suspensionWords = ({ from, to }: Suspended): string =>
  `Suspended from ${formatDay(from)}${to === null ? '' : ` to ${formatDay(to)}`}`;

/**
 * Those of `suspensions` that are in force on `today` or begin later, and what follows, in words for the technician
 * ('Your') or for admins ('Their'). Null when there is none.
 */
export function suspensionsWords(
  suspensions: readonly Suspended[],
  today: string,
  whose: 'Your' | 'Their',
): string | null {
  const current = suspensions.filter(({ from, to }) => to === null || (today <= to && from <= to));
  if (current.length === 0) return null;
  const when = current.some((suspension) => covers(suspension, today)) ? '' : ' from that day on';
  return `${current.map(suspensionWords).join('. ')}. ${whose} visits${when} wait for an administrator.`;
}
