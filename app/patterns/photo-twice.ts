// A visit's photo was used before: the same bytes by anybody, or a look-alike by the same technician (perceptual hashes
// at distance 4 or less). A plain picture, with few edges or hardly any cell without one, looks like other plain ones
// and is not compared. The wrong picture is also chosen by mistake; slips and look-alikes as common as with the others
// are allowed for.
import { addHit, alike, countEach } from './count.ts';
import type { Count } from './pattern.ts';
import { isOneWeighing, type Sample, type SampleVisit } from './sample.ts';

const ALIKE_MOST = 4;
/** Of 64 bits; below that many ones, or that many zeros, a picture is plain. */
const FEWEST_BITS = 8;

export function countPhotoTwice(sample: Sample): Count[] {
  const usedBefore = new Map<SampleVisit, SampleVisit>();
  // The one who used it first did nothing that shows.
  for (const [first, ...later] of alike(sample.visits, ({ photo }) => photo?.sha256))
    for (const visit of later) if (first !== undefined && !isOneWeighing(visit, first)) usedBefore.set(visit, first);
  return countEach(sample, (count, visits) => {
    const looked: Looked[] = [];
    for (const visit of visits) {
      if (visit.photo === null) continue;
      count.n += 1;
      const picture = lookAt(visit);
      const earlier = usedBefore.get(visit) ?? alikeIn(looked, picture);
      if (earlier !== undefined) addHit(count, [visit, earlier]);
      if (!isPlain(picture)) looked.push(picture);
    }
  });
}

/** A visit with the two halves of its picture's perceptual hash. */
type Looked = { visit: SampleVisit; high: number; low: number };

function lookAt(visit: SampleVisit): Looked {
  const dhash = (visit.photo?.dhash ?? '').padStart(16, '0');
  return { visit, high: Number.parseInt(dhash.slice(0, 8), 16), low: Number.parseInt(dhash.slice(8), 16) };
}

function alikeIn(earlier: readonly Looked[], picture: Looked): SampleVisit | undefined {
  if (isPlain(picture)) return undefined;
  const { visit, high, low } = picture;
  return earlier.find(
    (one) => bits(high ^ one.high) + bits(low ^ one.low) <= ALIKE_MOST && !isOneWeighing(visit, one.visit),
  )?.visit;
}

function isPlain({ high, low }: Looked): boolean {
  const ones = bits(high) + bits(low);
  return ones < FEWEST_BITS || ones > 64 - FEWEST_BITS;
}

/** How many bits of a 32-bit number are set. */
function bits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
