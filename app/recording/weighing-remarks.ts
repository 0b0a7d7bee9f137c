// What the server says of the weighings in a form beside what the browser says too: their days, weighbridges and
// tickets, and what is further apart than the policy's tolerance.
import { daysBetween, isDay } from '#app/platform/time/calendar.ts';
import { doneRefusal } from '#app/platform/time/entered-day.ts';
import { formatValue } from '#app/readings/calibration.ts';
import type { GridRemarks } from '#app/readings/set-grid.ts';
import { GROSS, placeOf, weighingName, type GivenWeighings } from '#app/readings/weighings-entry.ts';
import { isWeighingSlip, loadChecks, LOADS, onDeckName, type Weighing } from '#app/readings/weighings.ts';
import type { Policy } from '#app/policy/policy.ts';

/** The weighings of a visit lie within so many days of it. */
const WEIGHING_DAYS_MAX = 31;
const AT_MAX = 200;
const TICKET_MAX = 60;
const DAY_REFUSED = {
  none: 'Enter the day of the weighing.',
  future: 'The weighing is in the future. Check the date.',
};

/** What is wrong with a day, weighbridge or ticket of a weighing. */
export function weighingRefusals(
  { groups, text }: GivenWeighings,
  { today, visitDay }: { today: string; visitDay: string },
): Record<string, string> {
  const errors: Record<string, string> = {};
  const refuse = (name: string, message: string | undefined) => {
    if (message !== undefined) errors[name] = message;
  };
  const places = [...groups.map(placeOf), GROSS];
  for (const { load } of LOADS)
    for (const place of places) {
      const [on, at, ticket] = [
        weighingName(place, load, 'on'),
        weighingName(place, load, 'at'),
        weighingName(place, load, 'ticket'),
      ];
      refuse(on, dayRefusal(text(on).trim(), { today, visitDay }));
      refuse(at, lengthRefusal(text(at), AT_MAX));
      refuse(ticket, lengthRefusal(text(ticket), TICKET_MAX));
    }
  return errors;
}

const lengthRefusal = (text: string, most: number): string | undefined =>
  text.trim().length > most ? `Use at most ${most} characters.` : undefined;

function dayRefusal(day: string, { today, visitDay }: { today: string; visitDay: string }): string | undefined {
  if (day === '') return undefined;
  const refusal = doneRefusal(day, { today, ...DAY_REFUSED });
  if (refusal !== undefined || !isDay(visitDay) || Math.abs(daysBetween(visitDay, day)) <= WEIGHING_DAYS_MAX)
    return refusal;
  return `The weighing is more than ${WEIGHING_DAYS_MAX} days from the visit. Record it as a visit of its own.`;
}

/** Weighings that follow from earlier ones, and differ from them by more than the tolerance. */
export function weighingSlips(
  weighings: readonly Weighing[],
  { weighed, tolerance }: { weighed: GivenWeighings; tolerance: Pick<Policy, 'tolerancePerMille' | 'toleranceKg'> },
): GridRemarks['warnings'] {
  const slips = loadChecks(weighings)
    .filter((check) => isWeighingSlip(check, tolerance))
    .map(({ load, deck, kg, differenceKg, isGross }) => {
      const last = isGross ? undefined : weighed.groups.find((group) => onDeckName(group) === deck.at(-1));
      const name = weighingName(last === undefined ? GROSS : placeOf(last), load, 'deck');
      const apart = formatValue(String(Math.round(Math.abs(differenceKg))));
      const message = `${apart}\u00a0kg ${differenceKg > 0 ? 'more' : 'less'} than the weighings before give. Check the digits.`;
      return [name, { code: `${name}:apart:${kg}`, message }];
    });
  return Object.fromEntries(slips);
}
