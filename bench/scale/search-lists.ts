// What is searched for: texts cut from the registry's own regos and VINs, and pages of what they find.
import { demoRandom, type DemoRandom } from '#database/demo/demo-random.ts';
import { pagesOf, type Truth } from './truth.ts';
import type { Asked } from './wrk.ts';

export type Search = { needle: string; page: number };

export const LENGTHS = [1, 2, 3, 6] as const;
export type Needles = Readonly<Record<(typeof LENGTHS)[number], readonly string[]>>;

const NEEDLES = 60;
const EDGE_PAGES = 100;
// No rego and no VIN of the generated registry has an I or an O in it.
export const ABSENT = ['I', 'O', 'II', 'IO', 'AI9', 'OO7', 'B1I', 'IIIIII', 'ABC1O2', 'XO04KL'];

/** At most `count` different texts of this length that are in the registry. */
export function someNeedles(truth: Truth, length: number, count: number): string[] {
  const random = demoRandom(`needles of ${length}`);
  const cut = (): string => {
    const text = truth.regos[random.whole(0, truth.regos.length - 1)] ?? '';
    const from = random.whole(0, text.length - length);
    return text.slice(from, from + length);
  };
  return [...new Set(Array.from({ length: count }, cut))];
}

/** The few of each length that are compared with counting by hand, on each kind of page. */
export const chooseNeedles = (truth: Truth): Needles => ({
  1: someNeedles(truth, 1, NEEDLES),
  2: someNeedles(truth, 2, NEEDLES),
  3: someNeedles(truth, 3, NEEDLES),
  6: someNeedles(truth, 6, NEEDLES),
});

/** The searches of a kind of page that are right to ask: `middle` is of lists long enough to have one. */
export function searches(truth: Truth, needles: readonly string[], where: 'first' | 'middle' | 'last'): Search[] {
  return needles.flatMap((needle) => {
    if (where === 'first') return [{ needle, page: 1 }];
    const pages = pagesOf(truth, needle);
    return pages < 3 ? [] : [{ needle, page: where === 'last' ? pages : Math.ceil(pages / 2) }];
  });
}

/** Any text, and any of its first or last hundred pages. */
export function atEdges(truth: Truth, needles: Needles, random: DemoRandom): Search[] {
  return [...LENGTHS.flatMap((length) => needles[length]), ...ABSENT].flatMap((needle) => {
    const pages = pagesOf(truth, needle);
    const near = random.whole(1, Math.min(EDGE_PAGES, pages));
    return [
      { needle, page: near },
      { needle, page: pages + 1 - near },
    ];
  });
}

export const asJson = ({ needle, page }: Search): Asked => ({ path: `/api/v1/vehicles?q=${needle}&page=${page}` });
export const asHtml = ({ needle, page }: Search): Asked => ({ path: `/search?q=${needle}&page=${page}` });
export const asList = ({ needle, page }: Search): Asked => ({ path: `/vehicles?q=${needle}&page=${page}` });
export const asBare = ({ needle, page }: Search): Asked => ({ path: `/search?q=${needle}&page=${page}` });
