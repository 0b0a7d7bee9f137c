// What the method finds, measured: bench/patterns-crowd.ts, `alike`, PEOPLE=200, CHEATS as it is, YEAR=60, 120 and 240,
// twenty worlds each (SEED=201 to 220).
import type { PatternKind } from './pattern.ts';
import type { Share } from './statistics.ts';

export const POWER_PEOPLE = 200;
/** Visits a year of each, and cheats in a hundred people. */
export const POWER_COLUMNS = [60, 120, 240].flatMap((visits) => [1, 5, 10].map((cheats) => ({ visits, cheats })));

/** By column: how many were found, of how many cheats. */
const FOUND: Readonly<Record<PatternKind, string>> = {
  'copied-axle-sets': '5/40 24/200 15/400 29/40 129/200 242/400 40/40 198/200 400/400',
  'same-as-before': '3/40 4/200 1/400 13/40 26/200 28/400 32/40 148/200 254/400',
  'moved-a-step': '12/40 35/200 27/400 32/40 144/200 262/400 40/40 199/200 396/400',
  'line-stays': '40/40 199/200 399/400 40/40 200/200 400/400 40/40 200/200 400/400',
  'cannot-be-shown': '27/40 112/200 177/400 40/40 194/200 382/400 40/40 200/200 399/400',
  'invented-volts': '40/40 196/200 390/400 38/40 191/200 383/400 39/40 193/200 391/400',
  'invented-kilograms': '40/40 200/200 400/400 40/40 200/200 400/400 40/40 200/200 400/400',
  'never-found-out': '0/40 0/200 0/400 0/40 0/200 0/400 0/40 0/200 0/400',
  'found-as-left': '40/40 200/200 400/400 40/40 200/200 400/400 40/40 200/200 400/400',
  'sensor-replaced': '27/40 94/200 206/400 39/40 193/200 374/400 40/40 200/200 400/400',
  'other-trailer': '0/40 0/200 0/400 0/40 0/200 0/400 2/40 9/200 44/400',
  'too-fast': '37/40 137/200 264/400 40/40 199/200 395/400 40/40 200/200 400/400',
  'too-far': '33/40 106/200 158/400 40/40 196/200 391/400 40/40 200/200 400/400',
  'ticket-twice': '20/40 78/200 79/400 36/40 171/200 332/400 40/40 200/200 399/400',
  'photo-twice': '16/40 53/200 39/400 34/40 164/200 270/400 40/40 200/200 399/400',
  'next-disagrees': '26/40 101/200 98/400 34/40 114/200 163/400 38/40 149/200 228/400',
  'take-turns': '40/40 178/200 154/400 40/40 197/200 355/400 40/40 200/200 357/400',
  'bunched-at-due': '0/40 0/200 0/400 0/40 0/200 0/400 0/40 0/200 0/400',
};

export const powerOf = (pattern: PatternKind): Share[] =>
  FOUND[pattern].split(' ').map((cell) => {
    const [hits = 0, n = 0] = cell.split('/').map(Number);
    return { n, hits };
  });
