// A visit's photo was used before: the same bytes by anybody, or a look-alike by the same technician (perceptual hashes
// at distance 4 or less). One photo of a day's tickets is none. Nor is a look-alike where half of a technician's photos
// at a weighbridge look alike: that is a camera that never moves, and what it shows cannot be told. A plain picture,
// with few edges or hardly any cell without one, looks like other plain ones and is not compared. The wrong picture is
// also chosen by mistake; slips and look-alikes as common as with the others are allowed for.
import { addHit, alike, countEach } from './count.ts';
import type { Count } from './pattern.ts';
import { isOneDaysWork, isOneWeighing, type Sample, type SampleVisit } from './sample.ts';

const ALIKE_MOST = 4;
/** Of 64 bits; below that many ones, or that many zeros, a picture is plain. */
const FEWEST_BITS = 8;

export function countPhotoTwice(sample: Sample): Count[] {
  const usedBefore = new Map<SampleVisit, SampleVisit>();
  // The one who used it first did nothing that shows.
  for (const same of alike(sample.visits, ({ photo }) => photo?.sha256))
    for (const [at, visit] of same.entries()) {
      const first = same.find((one, place) => place < at && !isOneWeighing(visit, one) && !isOneDaysWork(visit, one));
      if (first !== undefined) usedBefore.set(visit, first);
    }
  return countEach(sample, (count, visits) => {
    const looked: Looked[] = [];
    const alikes = new Map<SampleVisit, SampleVisit>();
    const pictured = visits.filter(({ photo }) => photo !== null);
    for (const visit of pictured) {
      const picture = lookAt(visit);
      const earlier = usedBefore.has(visit) ? undefined : alikeIn(looked, picture);
      if (earlier !== undefined) alikes.set(visit, earlier);
      if (!isPlain(picture)) looked.push(picture);
    }
    for (const own of Map.groupBy(pictured, ({ place }) => place?.id).values()) {
      const isFixed = own.filter((visit) => alikes.has(visit)).length * 2 >= own.length;
      if (isFixed) for (const visit of own) alikes.delete(visit);
    }
    for (const visit of pictured) {
      count.n += 1;
      const earlier = usedBefore.get(visit) ?? alikes.get(visit);
      if (earlier !== undefined) addHit(count, [visit, earlier]);
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
    (one) =>
      bits(high ^ one.high) + bits(low ^ one.low) <= ALIKE_MOST &&
      visit.photo?.sha256 !== one.visit.photo?.sha256 &&
      !isOneWeighing(visit, one.visit),
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
