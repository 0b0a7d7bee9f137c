// A visit's photo was used before: the same bytes by anybody, or a look-alike by the same technician (perceptual hashes at
// distance 4 or less). A plain picture, with few edges or hardly any cell without one, looks like other plain ones and is not
// compared. The wrong picture is also chosen by mistake; slips and look-alikes as common as with the others are allowed for.
import type { Columns } from './columns.ts';
import { addHit, isOneWeighing, startCounts } from './count-visits.ts';
import { read } from './growing.ts';
import { equalKeys } from './hash.ts';
import { inTime, visitsOf } from './order-visits.ts';
import type { Count } from './pattern.ts';

const ALIKE_MOST = 4;
/** Of 64 bits; below that many ones, or that many zeros, a picture is plain. */
const FEWEST_BITS = 8;

export function countPhotoTwice(columns: Columns): Count[] {
  const counts = startCounts(columns);
  const usedBefore = new Int32Array(columns.visits).fill(-1);
  for (const group of equalKeys(columns.photo)) markLater(columns, group, usedBefore);
  for (const count of counts) {
    const visits = visitsOf(columns, count.technician).filter((visit) => read(columns.photo, visit) !== 0);
    count.n = visits.length;
    const looked = visits.filter((visit) => !isPlain(columns, visit));
    looked.forEach((visit, place) => {
      if (read(usedBefore, visit) === -1) usedBefore[visit] = alikeBefore(columns, looked, place);
    });
    for (const visit of visits) {
      const earlier = read(usedBefore, visit);
      if (earlier !== -1) addHit(columns, count, [visit, earlier]);
    }
  }
  return counts;
}

// Whoever used it first did nothing that shows.
function markLater(columns: Columns, group: readonly number[], usedBefore: Int32Array): void {
  const [first = 0, ...later] = group.toSorted(inTime(columns));
  for (const visit of later) if (!isOneWeighing(columns, visit, first)) usedBefore[visit] = first;
}

function alikeBefore(columns: Columns, visits: Int32Array, place: number): number {
  const visit = read(visits, place);
  const [high, low] = [read(columns.dhashHigh, visit), read(columns.dhashLow, visit)];
  for (let before = 0; before < place; before += 1) {
    const other = read(visits, before);
    const distance = bits(high ^ read(columns.dhashHigh, other)) + bits(low ^ read(columns.dhashLow, other));
    if (distance <= ALIKE_MOST && !isOneWeighing(columns, visit, other)) return other;
  }
  return -1;
}

function isPlain({ dhashHigh, dhashLow }: Columns, visit: number): boolean {
  const ones = bits(read(dhashHigh, visit)) + bits(read(dhashLow, visit));
  return ones < FEWEST_BITS || ones > 64 - FEWEST_BITS;
}

/** How many bits of a 32-bit number are set. */
function bits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
