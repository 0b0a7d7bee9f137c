import { Card } from '#app/ui/card.tsx';
import { RowIcon, type RowIconName } from '#app/ui/row-icon.tsx';
import { ChartLegend, LineChart } from './line-chart.tsx';
import type { ShownAgreement, ShownLine, ShownLines } from './present-lines.ts';
import { VoltsCalculator, type CalculatorProps } from './volts-calculator.tsx';

/** The newest line of each axle: chart, figures, agreement with the previous line, and a calculator. */
export function CalibrationLines({ shown, calculator }: { shown: ShownLines | null; calculator: CalculatorProps }) {
  if (shown === null)
    return (
      <Card title="Calibration lines" id="lines">
        <p className="px-5 py-6 text-ink-2">
          No calibration line yet. It needs four readings of one axle from one visit: volts and weight, empty and
          loaded.
        </p>
      </Card>
    );
  const { day, lines } = shown;
  return (
    <Card
      title="Calibration lines"
      id="lines"
      aside={day === null ? null : <span className="text-sm text-ink-3">{day}</span>}
    >
      <div className="grid gap-5 p-5 print:gap-3 print:p-3">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 sm:grid-cols-2 print:grid-cols-4 print:gap-x-4">
          {lines.map((line) => (
            <section key={line.axle} aria-label={line.label} className="axle-line">
              <h3>
                {line.label}
                {day === null ? <span className="block text-sm font-normal text-ink-3">{line.day}</span> : null}
              </h3>
              <div>
                <LineChart line={line} />
              </div>
              <p>
                {line.points.map(({ read, weighed }) => (
                  <span key={read}>
                    <span>{read}</span> <span>{`= ${weighed}`}</span>
                  </span>
                ))}
              </p>
              <Remarks remarks={line.remarks} />
              {line.held && <p className="col-span-full pt-1">{line.held}</p>}
            </section>
          ))}
        </div>
        <ChartLegend
          hasCheck={lines.some(({ chart }) => chart.check !== '')}
          hasEarlier={lines.some(({ chart }) => chart.earlier !== '')}
        />
      </div>
      <Figures lines={lines} />
      <Agreements lines={lines} tolerance={shown.tolerance} reference={shown.reference} />
      <VoltsCalculator {...calculator} />
    </Card>
  );
}

function Remarks({ remarks }: { remarks: readonly string[] }) {
  return remarks.map((remark) => (
    <p key={remark} className="col-span-full flex gap-1.5 pt-1 text-sm text-due-text">
      <RowIcon name="triangle-exclamation-point" className="row-icon mt-0.5" />
      {remark}
    </p>
  ));
}

const COLUMNS = [
  ['Slope', 'kg/V'],
  ['Offset', 'kg'],
  ['Span', 'kg'],
] as const;

function Figures({ lines }: { lines: readonly ShownLine[] }) {
  const hasCheck = lines.some(({ check }) => check !== null);
  const hasAsFound = lines.some(({ asFound }) => asFound !== null);
  return (
    <div className="table-scroll border-t border-line">
      <table className="data-table line-figures">
        <caption className="sr-only">Figures of the calibration lines</caption>
        <thead className="border-b border-line bg-sunken text-sm max-xl:text-xs print:text-sm">
          <tr>
            <th scope="col">Axle</th>
            {COLUMNS.map(([name, unit]) => (
              <th key={name} scope="col">
                {`${name} `}
                <span>{unit}</span>
              </th>
            ))}
            {hasCheck ? <th scope="col">Error at check load</th> : null}
            {hasAsFound ? <th scope="col">Error as found</th> : null}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.axle}>
              <th scope="row">{line.label}</th>
              <td>{line.slope}</td>
              <td>{line.offset}</td>
              <td>{line.span}</td>
              {hasCheck ? <td>{line.check ?? <span className="text-ink-3">N/A</span>}</td> : null}
              {hasAsFound ? (
                <td className="as-found">{line.asFound ?? <span className="text-ink-3">N/A</span>}</td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      {hasCheck || hasAsFound ? null : (
        <p className="px-5 pt-3 text-sm text-ink-2 print:px-3 print:pt-1">
          A line through two points cannot show its own error. A check load or as-found readings would, but none is
          recorded.
        </p>
      )}
    </div>
  );
}

const ICONS = {
  consistent: 'check',
  inconsistent: 'triangle-exclamation-point',
  'not-enough-data': 'minus',
} as const satisfies Record<ShownAgreement['answer'], RowIconName>;

function Agreements({
  lines,
  tolerance,
  reference,
}: {
  lines: readonly ShownLine[];
  tolerance: string;
  reference: string;
}) {
  return (
    <section className="px-5 py-4 print:px-3 print:py-1" aria-labelledby="agreement">
      <h3 id="agreement" className="font-bold">
        Agreement with the previous calibration
      </h3>
      <dl className="agreements">
        {lines.map(({ axle, label, agreement }) => (
          <div key={axle}>
            <dt>
              {label}
              <Answer agreement={agreement} />
            </dt>
            <dd>{agreement.sentence}</dd>
          </div>
        ))}
      </dl>
      <p className="pt-1 text-sm text-ink-2 print:text-xs">
        {`${tolerance}. Disagreement can hold a visit back; it never worsens a verdict that stands. ${reference}`}
      </p>
    </section>
  );
}

function Answer({ agreement: { answer, word } }: { agreement: ShownAgreement }) {
  return (
    <span>
      <RowIcon name={ICONS[answer]} className="row-icon" />
      {word}
    </span>
  );
}
