// A ticket's number at one weighbridge on another truck or another day: by the same technician at any time of the
// window, by somebody else within a week. A weighbridge counts its tickets, and the counter begins again when its
// digits are used up, so numbers meet by honest chance: that chance is stated, and slips as common as with the others
// are allowed for. One number for a day's trucks of one technician is one ticket. Where the numbers of a weighbridge do
// not rise from visit to visit its printer begins again each day, and nothing can be told.
import { addHit, alike, countEach, equalPairs } from './count.ts';
import type { Count } from './pattern.ts';
import { isOneDaysWork, isOneWeighing, type Sample, type SampleVisit } from './sample.ts';

const WEEK_MS = 7 * 86_400_000;
/** A counter of so many digits does not begin again within a week. */
const WEEK_DIGITS = 5;
/** Numbers are not drawn evenly: those of a technician lie close in time, and a site's own prefix uses up digits. */
const UNEVEN = 2;

/** 'n/a' and '12' are no numbers of a ticket. */
const FEWEST_DIGITS = 3;
const MOST_DIGITS = 31;
/** Of a number that is very common only so many are held against each other. */
const LINKS = 50;

/** facts.byChance: how many of the hits are expected because a counter began again. `chance`: see meetingChance. */
export function countTicketTwice(sample: Sample, chance: readonly number[]): Count[] {
  const usedBefore = new Map<SampleVisit, SampleVisit>();
  const asked = askedOf(sample.visits);
  for (const { visit, own, earlier } of meetingsOf(asked)) {
    const other = own ?? earlier.find((one) => isWithinWeek(visit, one));
    if (other !== undefined) usedBefore.set(visit, other);
  }
  const isAsked = new Set(asked);
  return countEach(sample, (count, visits) => {
    const ticketed = visits.filter((visit) => isAsked.has(visit));
    count.n = ticketed.length;
    for (const visit of ticketed) {
      const other = usedBefore.get(visit);
      if (other !== undefined) addHit(count, [visit, other]);
    }
    const pairs = pairsByDigits(ticketed);
    count.facts = { byChance: pairs.reduce((sum, number, digits) => sum + number * (chance[digits] ?? 0), 0) };
  });
}

/**
 * By the digits of the numbers: the chance that two tickets of one weighbridge meet by themselves, as those of
 * different technicians do.
 */
export function meetingChance(visits: readonly SampleVisit[]): number[] {
  const between = Array.from({ length: MOST_DIGITS + 1 }, () => 0);
  const asked = askedOf(visits);
  for (const { visit, own, earlier } of meetingsOf(asked)) {
    const digits = digitsOf(visit);
    between[digits] = (between[digits] ?? 0) + earlier.length - Number(own !== undefined);
  }
  return pairsByDigits(asked).map(
    (pairs, digits) => UNEVEN * Math.max(10 ** -digits, pairs === 0 ? 0 : (between[digits] ?? 0) / pairs),
  );
}

/** Visits with the ticket of others before them. `own`: one of these by the same technician. */
type Meeting = { visit: SampleVisit; earlier: SampleVisit[]; own: SampleVisit | undefined };

const meetingsOf = (visits: readonly SampleVisit[]): Meeting[] =>
  alike(visits, ({ place, ticket }) => `${place?.id} ${ticket.trim().toLowerCase()}`).flatMap((same) =>
    same.map((visit, place) => {
      const before = same.slice(Math.max(0, place - LINKS), place);
      const earlier = before.filter((one) => !isOneWeighing(visit, one) && !isOneDaysWork(visit, one));
      return { visit, earlier, own: earlier.find(({ technician }) => technician === visit.technician) };
    }),
  );

const digitsOf = ({ ticket }: Pick<SampleVisit, 'ticket'>): number =>
  Math.min(MOST_DIGITS, ticket.replaceAll(/\D/g, '').length);
const hasTicket = (visit: SampleVisit): boolean => visit.place !== null && digitsOf(visit) >= FEWEST_DIGITS;

/** Of the pairs of tickets that follow each other at a weighbridge, so many rise where its counter runs on. */
const RISING = 0.7;
const FEWEST_PAIRS = 4;

// Tickets of weighbridges whose counter runs on, oldest first. A number that was used before does not speak for it.
function askedOf(visits: readonly SampleVisit[]): SampleVisit[] {
  const byPlace = Map.groupBy(visits.filter(hasTicket), (visit) => `${visit.place?.id} ${digitsOf(visit)}`);
  return [...byPlace.values()].flatMap((own) => {
    const numbers = [...new Set(own.map(({ ticket }) => Number(ticket.replaceAll(/\D/g, ''))))];
    const size = 10 ** digitsOf(own[0] ?? { ticket: '' });
    const rising = numbers.filter((number, at) => at > 0 && (number - (numbers[at - 1] ?? 0) + size) % size < size / 2);
    return numbers.length > FEWEST_PAIRS && rising.length < (numbers.length - 1) * RISING ? [] : own;
  });
}

const isWithinWeek = (visit: SampleVisit, other: SampleVisit): boolean =>
  digitsOf(visit) >= WEEK_DIGITS && visit.at - other.at <= WEEK_MS;

/** How many pairs of these tickets have one weighbridge and as many digits. */
function pairsByDigits(visits: readonly SampleVisit[]): number[] {
  const byDigits = Map.groupBy(visits, digitsOf);
  return Array.from({ length: MOST_DIGITS + 1 }, (_, digits) =>
    equalPairs((byDigits.get(digits) ?? []).map(({ place }) => place?.id)),
  );
}
