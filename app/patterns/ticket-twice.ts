// A ticket's number at one weighbridge on another truck or another day: by the same technician at any time of the window, by
// somebody else within a week. A weighbridge counts its tickets, and the counter begins again when its digits are used up, so
// numbers meet by honest chance: that chance is stated, and slips as common as with the others are allowed for.
import type { Columns } from './columns.ts';
import { addHit, isOneWeighing, startCounts } from './count-visits.ts';
import { read } from './growing.ts';
import { equalKeys } from './hash.ts';
import { inTime, visitsOf } from './order-visits.ts';
import type { Count } from './pattern.ts';

const WEEK_MS = 7 * 86_400_000;
/** A counter of so many digits does not begin again within a week. */
const WEEK_DIGITS = 5;
/** Numbers are not drawn evenly: those of a technician lie close in time, and a site's own prefix uses up digits. */
const UNEVEN = 2;

/** facts.byChance: how many of the hits are expected because a counter began again. `chance`: see meetingChance. */
export function countTicketTwice(columns: Columns, chance: readonly number[]): Count[] {
  const counts = startCounts(columns);
  for (const [visit, other] of meetingsOf(columns).found) {
    const count = counts[read(columns.technician, visit)];
    if (count !== undefined) addHit(columns, count, [visit, other]);
  }
  for (const count of counts) {
    const visits = withTicket(columns, visitsOf(columns, count.technician));
    const pairs = pairsByDigits(columns, visits);
    count.n = visits.length;
    count.facts = { byChance: pairs.reduce((sum, number, digits) => sum + number * (chance[digits] ?? 0), 0) };
  }
  return counts;
}

/** By the digits of the numbers: the chance that two tickets of one weighbridge meet by themselves, as those of different technicians do. */
export function meetingChance(columns: Columns): number[] {
  const { between } = meetingsOf(columns);
  const all = Int32Array.from({ length: columns.visits }, (_, visit) => visit);
  const pairs = pairsByDigits(columns, withTicket(columns, all));
  return Array.from(
    pairs,
    (number, digits) => UNEVEN * Math.max(10 ** -digits, number === 0 ? 0 : read(between, digits) / number),
  );
}

const withTicket = ({ ticket }: Columns, visits: Int32Array) => visits.filter((visit) => read(ticket, visit) !== 0);

type Meetings = { found: [number, number][]; between: Float64Array };

function meetingsOf(columns: Columns): Meetings {
  const found: [number, number][] = [];
  const between = new Float64Array(MOST_DIGITS + 1);
  for (const group of equalKeys(columns.ticket)) {
    const visits = group.toSorted(inTime(columns));
    visits.forEach((visit, place) => {
      const digits = digitsOf(columns, visit);
      const earlier = visits.slice(Math.max(0, place - 50), place).filter((one) => !isOneWeighing(columns, visit, one));
      const own = earlier.find((one) => read(columns.technician, one) === read(columns.technician, visit));
      between[digits] = read(between, digits) + earlier.length - Number(own !== undefined);
      const other = own ?? earlier.find((one) => isWithinWeek(columns, visit, one, digits));
      if (other !== undefined) found.push([visit, other]);
    });
  }
  return { found, between };
}

const MOST_DIGITS = 31;
const digitsOf = ({ ticketDigits }: Columns, visit: number): number => Math.min(MOST_DIGITS, read(ticketDigits, visit));

const isWithinWeek = ({ at }: Columns, visit: number, other: number, digits: number): boolean =>
  digits >= WEEK_DIGITS && read(at, visit) - read(at, other) <= WEEK_MS;

/** How many pairs of these tickets have one weighbridge and as many digits. */
function pairsByDigits(columns: Columns, visits: Int32Array): Float64Array {
  const times = new Map<number, number>();
  const pairs = new Float64Array(MOST_DIGITS + 1);
  for (const visit of visits) {
    const digits = digitsOf(columns, visit);
    const key = read(columns.place, visit) * (MOST_DIGITS + 1) + digits;
    const earlier = times.get(key) ?? 0;
    pairs[digits] = read(pairs, digits) + earlier;
    times.set(key, earlier + 1);
  }
  return pairs;
}
