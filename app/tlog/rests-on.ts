// On what a truck's verdict rests, as its entries say it: so that an entry that is read without a network answers as
// the registry does.

/** States of a visit in which it takes part in the rule for the due date. */
export const COUNTING_STATES = ['counts', 'accepted', 'taken-over'] as const;
export const isCounting = (state: unknown): boolean => COUNTING_STATES.some((counting) => counting === state);

/**
 * A visit that counts; what was taken over; nothing, as calibrations are recorded and none counts; nothing, as none is
 * recorded.
 */
export const RESTS_ON = ['visit', 'taken-over', 'nothing', 'no-calibration'] as const;
export type RestsOn = (typeof RESTS_ON)[number];

export const isRestsOn = (value: unknown): value is RestsOn => RESTS_ON.some((known) => known === value);
