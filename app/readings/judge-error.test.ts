import { expect, test } from 'vitest';
import { hasFields, outsideVectors } from '#test/outside-vectors.ts';
import { formatFraction, parseDecimal, whole } from './fraction.ts';
import { judgeError, type GroupAtCheck, type WeighedBy } from './judge-error.ts';

type Load = { output: string; readings_kg: number[] };
type Group = { output: { step: string }; empty: Load; loaded: Load; check: { output: string } | null };
type Expected = {
  decision: string;
  indicated_kg?: number;
  weighed_kg?: number;
  error_kg?: number;
  error_percent?: number;
  expanded_uncertainty_kg?: number;
};
type Case = Group & { check: Load | null; e_kg: number | null; tolerance_kg: number; expected: Expected };
type Whole = {
  e_kg: number | null;
  groups: (Group | null)[];
  gross_readings_kg: number[];
  tolerance_kg: number;
  expected: Expected;
};
const isCase = (value: unknown): value is Case => hasFields(value, 'e_kg', 'output', 'empty', 'loaded', 'check');
const isWhole = (value: unknown): value is Whole => hasFields(value, 'e_kg', 'groups', 'gross_readings_kg');
const cases = outsideVectors('uncertainty', isCase);
const wholes = outsideVectors('uncertainty', isWhole, 'wholes');

const readings = (kg: readonly number[], e: number | null): WeighedBy[] =>
  kg.map((one, at) => ({ kg: one, e, share: whole(at === 0 ? 1 : -1) }));
function groupOf({ output, empty, loaded, check }: Group, e: number | null): GroupAtCheck | undefined {
  const point = (load: Load) => ({ output: load.output, readings: readings(load.readings_kg, e) });
  return check === null
    ? undefined
    : { step: output.step, empty: point(empty), loaded: point(loaded), check: check.output };
}

function expectSame(judged: ReturnType<typeof judgeError>, expected: Expected, at: string): void {
  expect(judged.decision, at).toBe(expected.decision);
  const { error } = judged;
  for (const [value, wanted] of [
    [error?.indicated, expected.indicated_kg],
    [error?.weighed, expected.weighed_kg],
    [error?.error, expected.error_kg],
    [error?.percent, expected.error_percent],
  ] as const)
    if (wanted !== undefined)
      expect(Math.abs(Number(value === undefined ? 'none' : formatFraction(value, 9)) - wanted), at).toBeLessThan(
        0.00051,
      );
  if (expected.expanded_uncertainty_kg !== undefined)
    expect(Math.abs((error?.expanded ?? NaN) - expected.expanded_uncertainty_kg), at).toBeLessThan(0.001);
}

test.skipIf(cases === undefined)('the vectors of a group at its check load', () => {
  expect(cases?.length).toBeGreaterThan(0);
  for (const [at, one] of (cases ?? []).entries()) {
    const weighed = readings(one.check?.readings_kg ?? [], one.e_kg);
    const judged = judgeError([groupOf(one, one.e_kg)], weighed, parseDecimal(String(one.tolerance_kg)));
    expectSame(judged, one.expected, `case ${at}`);
  }
});

test.skipIf(wholes === undefined)('the vectors of the whole against its ticket', () => {
  expect(wholes?.length).toBeGreaterThan(0);
  for (const [at, { groups, e_kg: e, ...one }] of (wholes ?? []).entries()) {
    const known = groups.map((group) => (group === null ? undefined : groupOf(group, e)));
    const judged = judgeError(known, readings(one.gross_readings_kg, e), parseDecimal(String(one.tolerance_kg)));
    expectSame(judged, one.expected, `whole ${at}`);
  }
});

// A line of 1,000 kg a volt without a step: U² = 4 (20² + 20²) / 3 at the loaded point.
const group: GroupAtCheck = {
  step: '0',
  empty: { output: '1', readings: readings([1000], 20) },
  loaded: { output: '2', readings: readings([2000], 20) },
  check: '2',
};
const decisionAt = (kg: number, tolerance: string) =>
  judgeError([group], readings([kg], 20), parseDecimal(tolerance)).decision;

test('the five words, by error, doubt and tolerance', () => {
  expect(decisionAt(1932, '100.7')).toBe('conforms');
  expect(decisionAt(1932, '100.6')).toBe('conforms-not-beyond-doubt');
  expect(decisionAt(1932, '67.9')).toBe('does-not-conform-not-beyond-doubt');
  expect(decisionAt(1900, '67.4')).toBe('does-not-conform-not-beyond-doubt');
  expect(decisionAt(1900, '67.3')).toBe('does-not-conform');
  expect(decisionAt(2000, '32.6')).toBe('cannot-be-told');
});

test('without a check load, or with a group without a line, nothing is told', () => {
  expect(judgeError([group], [], whole(500))).toEqual({ decision: 'cannot-be-told' });
  expect(judgeError([group, undefined], readings([2000], 20), whole(500))).toEqual({ decision: 'cannot-be-told' });
  const flat = { ...group, loaded: { ...group.loaded, output: '1' } };
  expect(judgeError([flat], readings([2000], 20), whole(500))).toEqual({ decision: 'cannot-be-told' });
});
