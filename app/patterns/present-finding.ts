// The numbers of a finding in words.
import { METHOD } from './method.ts';
import { PATTERN_KINDS, type PatternKind } from './pattern.ts';

type Numbers = { n: number; hits: number };
const count = (value: number): string => value.toLocaleString('en-AU');

export const numberWords = ({ n, hits }: Numbers): string => `${count(hits)} of ${count(n)}`;

/** How likely as much is where nothing is behind it. */
export function chanceWords(p: number): string {
  if (p >= 0.5) return 'as is to be expected';
  if (p < 1e-12) return 'by chance less than once in a trillion';
  const times = 1 / p;
  const [unit, name] = UNITS.find(([from]) => times >= from) ?? [1, ''];
  return `by chance once in ${count(Number((times / unit).toPrecision(2)))}${name}`;
}

const UNITS: readonly [from: number, name: string][] = [
  [1e9, ' billion'],
  [1e6, ' million'],
];

export const isPattern = (text: string): text is PatternKind => PATTERN_KINDS.some((kind) => kind === text);

/** Of an older version of the method its own word. */
export const patternName = (pattern: string): string => (isPattern(pattern) ? METHOD[pattern].name : pattern);

export const factsOf = (
  pattern: PatternKind,
  { n, hits, p }: Numbers & { p: number },
): { label: string; value: string }[] => [
  { label: 'What is counted', value: METHOD[pattern].counts },
  { label: 'How many', value: numberWords({ n, hits }) },
  { label: 'Chance', value: chanceWords(p) },
];
