import { Fragment } from 'react';
import { CHART } from './chart-frame.ts';
import type { Axes } from './line-geometry.ts';
import type { ShownLine } from './present-lines.ts';

const X_LABEL_Y = CHART.bottom + 17;
const BELOW_TEXT = 4;
const across = (part: number) => CHART.left + part * (CHART.right - CHART.left);
const up = (part: number) => CHART.bottom - part * (CHART.bottom - CHART.top);
const rule = (part: number) => `M${CHART.left} ${up(part)}H${CHART.right}`;
const [GRID, FOOT] = [rule(0.5) + rule(1), rule(0)];

/**
 * One axle's line: solid between the measured points, dashed where it is extrapolated. Earlier lines are faint behind
 * it.
 */
export function LineChart({ line: { label, day, points, chart, unit, axes } }: { line: ShownLine }) {
  const name = `${label}, ${day}: ${points.map(({ read, weighed }) => `${read} = ${weighed}`).join('; ')}`;
  return (
    <svg viewBox={`0 0 ${CHART.width} ${CHART.height}`} role="img" aria-label={name} className="line-chart">
      {axes === null ? <use href={`#${unit}`} /> : <ChartAxes unit={unit} axes={axes} />}
      {chart.earlier === '' ? null : <path d={chart.earlier} className="chart-earlier" />}
      <path d={chart.carriedOn} className="chart-carried-on" />
      <path d={chart.measured} className="chart-line" />
      {chart.check && <path d={chart.check} className="chart-check" />}
      <circle cx={chart.empty.x} cy={chart.empty.y} r="4" className="chart-empty" />
      <circle cx={chart.loaded.x} cy={chart.loaded.y} r="4.5" className="chart-loaded" />
    </svg>
  );
}

function ChartAxes({ unit, axes: { volts, tonnes } }: { unit: string; axes: Axes }) {
  const at = (range: { from: number; to: number }, part: number) => tick(range.from + part * (range.to - range.from));
  return (
    <g id={unit}>
      <path d={GRID} className="chart-grid" />
      <path d={FOOT} className="chart-foot" />
      {[0, 0.5, 1].map((part) => (
        <Fragment key={part}>
          <text x={CHART.left - 6} y={up(part) + BELOW_TEXT} textAnchor="end">
            {`${at(tonnes, part)}${part === 1 ? ' t' : ''}`}
          </text>
          <text x={across(part)} y={X_LABEL_Y} textAnchor={part === 1 ? 'end' : 'middle'}>
            {`${at(volts, part)}${part === 1 ? ` ${unit}` : ''}`}
          </text>
        </Fragment>
      ))}
    </g>
  );
}

const COMPACT = new Intl.NumberFormat('en-AU', { notation: 'compact', maximumFractionDigits: 1 });
// Nearly every axis ends below a thousand, where the formatter only takes time: half as long as the rest of the chart.
const tick = (value: number): string =>
  (Math.abs(value) < 1000 && Number.isInteger(value * 10) ? String(value) : COMPACT.format(value)).replace(
    '-',
    '\u2212',
  );

/** The legend of the charts. */
export function ChartLegend({ hasCheck, hasEarlier }: { hasCheck: boolean; hasEarlier: boolean }) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line pt-3 text-sm text-ink-2">
      <Mark words="Empty">
        <circle cx="10" cy="6" r="4" className="chart-empty" />
      </Mark>
      <Mark words="Loaded">
        <circle cx="10" cy="6" r="4.5" className="chart-loaded" />
      </Mark>
      {hasCheck ? (
        <Mark words="Check load">
          <path d="M10 1l5 5l-5 5l-5 -5z" className="chart-check" />
        </Mark>
      ) : null}
      <Mark words="Outside the calibrated range">
        <path d="M0 6h20" className="chart-carried-on" />
      </Mark>
      {hasEarlier ? (
        <Mark words="Earlier lines">
          <path d="M0 6h20" className="chart-earlier" />
        </Mark>
      ) : null}
    </ul>
  );
}

function Mark({ words, children }: { words: string; children: React.ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      <svg viewBox="0 0 20 12" width="20" height="12" aria-hidden="true" focusable="false">
        {children}
      </svg>
      {words}
    </li>
  );
}
