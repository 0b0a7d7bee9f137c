// What one sees better than one reads: digits against what is expected, lines over each other, visits in time.
import type { FindingPage } from './finding-page.server.ts';
import type { Plot } from './plot-finding.ts';

/** Nothing where a plot says no more than the table. */
export function FindingPlot({ page: { plot } }: { page: Pick<FindingPage, 'plot'> }) {
  if (plot === null) return null;
  return (
    <div className="border-t border-line p-5">
      {plot.kind === 'digits' && <Digits {...plot} />}
      {plot.kind === 'lines' && <Lines {...plot} />}
      {plot.kind === 'times' && <Times {...plot} />}
    </div>
  );
}

const WIDTH = 320;
const HEIGHT = 120;

function Digits({ counts, labels }: Plot & { kind: 'digits' }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = Math.max(...counts, total / counts.length);
  const step = WIDTH / counts.length;
  const heightOf = (count: number) => (count / most) * (HEIGHT - 20);
  const expected = HEIGHT - heightOf(total / counts.length);
  const words = counts.map((count, place) => `${labels[place] ?? ''}: ${count}`).join(', ');
  return (
    <figure className="max-w-160">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 18}`}
        role="img"
        aria-label={`How often each is there. ${words}. Expected: ${Math.round(total / counts.length)} each.`}
        className="block h-auto w-full fill-ink-2 text-[10px]"
      >
        {counts.map((count, place) => (
          <g key={place}>
            <rect
              x={place * step + 6}
              y={HEIGHT - heightOf(count)}
              width={step - 12}
              height={heightOf(count)}
              className="fill-accent"
            />
            <text x={place * step + step / 2} y={HEIGHT - heightOf(count) - 4} textAnchor="middle">
              {count}
            </text>
            <text x={place * step + step / 2} y={HEIGHT + 13} textAnchor="middle">
              {labels[place]}
            </text>
          </g>
        ))}
        <path d={`M0 ${expected}H${WIDTH}`} className="stroke-ink" strokeDasharray="3 3" />
      </svg>
      <figcaption className="pt-2 text-sm text-ink-2">
        The numbers by what remains when they are divided by five steps of the display. The dashed line is what is
        expected.
      </figcaption>
    </figure>
  );
}

const LOOKS = ['stroke-accent', 'stroke-ink'];

function Lines({ visits }: Plot & { kind: 'lines' }) {
  const all = visits.flatMap(({ lines }) => lines.flat());
  const xs = all.map(({ volts }) => volts);
  const ys = all.map(({ kg }) => kg);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const at = ({ volts, kg }: { volts: number; kg: number }) =>
    `${(8 + ((volts - left) / Math.max(1, right - left)) * (WIDTH - 16)).toFixed(1)} ${(HEIGHT - 8 - ((kg - low) / Math.max(1, high - low)) * (HEIGHT - 16)).toFixed(1)}`;
  return (
    <figure className="max-w-160">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`The lines of ${visits.map(({ rego }) => rego).join(' and ')} over each other`}
        className="block h-auto w-full"
      >
        {visits.map(({ id, lines }, place) => (
          <path
            key={id}
            d={lines.map(([empty, loaded]) => `M${at(empty)}L${at(loaded)}`).join('')}
            className={`fill-none ${LOOKS[place]}`}
            strokeWidth={place === 0 ? 5 : 2}
            strokeOpacity={place === 0 ? 0.4 : 1}
          />
        ))}
      </svg>
      <figcaption className="pt-2 text-sm text-ink-2">
        The lines of the first two visits over each other, volts to the right, kilograms up: the first broad, the other
        thin.
      </figcaption>
    </figure>
  );
}

/** The fastest that the method allows, in kilometres a minute. */
const ALLOWED = 110 / 60;

function Times({ visits }: Plot & { kind: 'times' }) {
  const longest = Math.max(60, ...visits.map(({ minutes }) => minutes));
  const furthest = Math.max(0, ...visits.map(({ km }) => km));
  const floor = furthest === 0 ? 24 : HEIGHT;
  const xOf = (minutes: number) => 8 + (minutes / longest) * (WIDTH - 16);
  const yOf = (km: number) => floor - (furthest === 0 ? 0 : (km / furthest) * (HEIGHT - 20));
  return (
    <figure className="max-w-160">
      <svg
        viewBox={`0 0 ${WIDTH} ${floor + 32}`}
        role="img"
        aria-label={`The visits in time: ${visits.map(({ rego, minutes, km }) => `${rego} after ${Math.round(minutes)} minutes${km === 0 ? '' : `, ${kilometres(km)} away`}`).join('; ')}`}
        className="block h-auto w-full fill-ink-2 text-[10px]"
      >
        <path d={`M8 ${floor}H${WIDTH - 8}`} className="stroke-line-strong" />
        {furthest === 0 ? null : (
          <path
            d={`M8 ${floor}L${xOf(Math.min(longest, furthest / ALLOWED))} ${yOf(Math.min(furthest, longest * ALLOWED))}`}
            className="fill-none stroke-ink"
            strokeDasharray="3 3"
          />
        )}
        {visits.map(({ minutes, km }, place) => (
          <g key={place}>
            <circle cx={xOf(minutes)} cy={yOf(km)} r="5" className="fill-accent" />
            {km === 0 ? null : (
              <text x={xOf(minutes) - 9} y={yOf(km) + 4} textAnchor="end">
                {kilometres(km)}
              </text>
            )}
          </g>
        ))}
        <text x="8" y={floor + 24}>
          0 min
        </text>
        <text x={WIDTH - 8} y={floor + 24} textAnchor="end">
          {`${Math.round(longest)} min`}
        </text>
      </svg>
      <figcaption className="pt-2 text-sm text-ink-2">
        {furthest === 0
          ? 'The visits of that hour by their stated times.'
          : 'Two visits by their stated times, and how far they lie apart. The dashed line is 110 km/h.'}
      </figcaption>
    </figure>
  );
}

const kilometres = (km: number): string => `${Math.round(km).toLocaleString('en-AU')} km`;
