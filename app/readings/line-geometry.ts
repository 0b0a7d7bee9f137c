// The geometry of a vehicle's charts: small multiples with equal axes. Only this file uses binary numbers for values,
// because a chart is exact enough to a tenth of a pixel.
import { CHART } from './chart-frame.ts';
import type { Output } from '#app/vehicles/outputs.ts';
import { massAt, type CalibrationLine } from './calibration-line.ts';
import type { CheckLoad } from './grid-outputs.ts';
import { parseDecimal, toNumber } from './fraction.ts';

/** The ends of both axes, in the output's unit and t. An axis begins at zero unless a value is below zero. */
export type Axes = { volts: { from: number; to: number }; tonnes: { from: number; to: number } };
export type Point = { x: number; y: number };
/** Paths and points in the units of `CHART`. `earlier`, `check`: all earlier lines, all check loads in one path. */
export type ChartGeometry = ReturnType<typeof geometryOf>;

const STEPS = [1, 2, 4, 5, 6, 8, 10];
const DEFAULT_OUTPUT = { V: 4, kPa: 0, 'mV/V': 0, counts: 0 } as const satisfies Record<Output, number>;
const DEFAULT_TONNES = 20;

/** Axes that include all `points` of outputs in `unit`, and all kilograms, so that they have one height in each. */
export function axesFor(points: readonly { unit: Output; volts: number; kg: number }[], unit: Output): Axes {
  return {
    volts: range(
      points.filter((point) => point.unit === unit).map(({ volts }) => volts),
      DEFAULT_OUTPUT[unit],
    ),
    tonnes: range(
      points.map(({ kg }) => kg / 1000),
      DEFAULT_TONNES,
    ),
  };
}

const range = (values: readonly number[], least: number) => ({
  from: 0 - roundUp(Math.max(0, ...values.map((value) => -value))),
  to: roundUp(Math.max(least, ...values)),
});

// Rounds up to a number that is easy to halve, because the axis has a label in its middle.
function roundUp(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value) ?? 10) * power;
}

export function geometryOf(
  line: CalibrationLine,
  checks: readonly CheckLoad[],
  { earlier, axes }: { earlier: readonly CalibrationLine[]; axes: Axes },
) {
  const { from, to } = axes.volts;
  const [empty, loaded] = [endOf(line.empty), endOf(line.loaded)];
  const on = (volts: number) => ({ volts, kg: toNumber(massAt(line, parseDecimal(volts.toFixed(6)))) });
  const [low, high] = empty.volts < loaded.volts ? [empty, loaded] : [loaded, empty];
  return {
    measured: pathOf(empty, loaded, axes),
    carriedOn: pathOf(on(from), low, axes) + pathOf(high, on(to), axes),
    // Faint, and there are many: a whole unit is exact enough.
    earlier: earlier
      .map((before) => pathOf(endOf(before.empty), endOf(before.loaded), axes))
      .join('')
      .replaceAll(/\.\d/g, ''),
    empty: place(empty, axes),
    loaded: place(loaded, axes),
    check: checks
      .map(({ volt, weight }) => place({ volts: Number(volt), kg: Number(weight) }, axes))
      .map(({ x, y }) => `M${x} ${round(y - 5)}l5 5l-5 5l-5 -5z`)
      .join(''),
  };
}

type Measured = { volts: number; kg: number };

const endOf = ({ volts, mass }: CalibrationLine['empty']): Measured => ({ volts: toNumber(volts), kg: toNumber(mass) });

function place({ volts, kg }: Measured, { volts: x, tonnes: y }: Axes): Point {
  return {
    x: round(CHART.left + ((volts - x.from) / (x.to - x.from)) * (CHART.right - CHART.left)),
    y: round(CHART.bottom - ((kg / 1000 - y.from) / (y.to - y.from)) * (CHART.bottom - CHART.top)),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

// The part of the segment within the axes (Liang–Barsky line clipping).
function pathOf(a: Measured, b: Measured, axes: Axes): string {
  let [enter, leave] = [0, 1];
  const [dx, dy] = [b.volts - a.volts, b.kg - a.kg];
  for (const [step, room] of [
    [-dx, a.volts - axes.volts.from],
    [dx, axes.volts.to - a.volts],
    [-dy, a.kg - axes.tonnes.from * 1000],
    [dy, axes.tonnes.to * 1000 - a.kg],
  ] as const) {
    if (step === 0 && room < 0) return '';
    if (step < 0) enter = Math.max(enter, room / step);
    if (step > 0) leave = Math.min(leave, room / step);
  }
  if (enter >= leave) return '';
  const at = (part: number) => place({ volts: a.volts + part * dx, kg: a.kg + part * dy }, axes);
  const [from, to] = [at(enter), at(leave)];
  return `M${from.x} ${from.y}L${to.x} ${to.y}`;
}
