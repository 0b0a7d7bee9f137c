import Download from 'lucide-react/icons/download';
import { useState, type ReactNode } from 'react';
import { counted } from '#app/ui/counted.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { VEHICLE_FIELDS } from '#app/vehicles/vehicle-fields.ts';
import type { CellNote, ImportPreview, LinePlan, TableRead } from './import-answer.ts';

type Of<Kind extends LinePlan['kind']> = Extract<LinePlan, { kind: Kind }>;

/** What an import of the file would do, line by line, and the button that does it. */
export function ImportPreviewed({ preview: { read, counts, lines, hidden } }: { preview: ImportPreview }) {
  const [ticked, setTicked] = useState(0);
  const of = (kind: LinePlan['kind']) => counts.find((one) => one.kind === kind)?.count ?? 0;
  const writes = of('new') + of('changed') + ticked;
  const leaves = of('conflicting') + of('refused') + of('marked') - ticked;
  const marked = lines.filter((line) => line.kind === 'marked');
  const refused = lines.flatMap((line) => ('note' in line ? line : []));
  const written = lines.flatMap((line) => (line.kind === 'new' || line.kind === 'changed' ? line : []));
  const leftOut = <LeftOut count={leaves} />;
  return (
    <section className="grid grid-cols-1 gap-4" aria-label="Preview">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-2">{`${sheetWords(read)}${counted(read.lines, 'line', 'lines')}. Nothing is written yet.`}</p>
        <div className="flex flex-wrap gap-3">
          {leftOut}
          {writes + of('marked') === 0 ? (
            <p className="self-center">There is nothing to import.</p>
          ) : (
            <SubmitButton name="step" value="import" busyText="Importing...">
              {writes === 0 ? 'Import what is ticked' : `Import ${counted(writes, 'line', 'lines')}`}
            </SubmitButton>
          )}
        </div>
      </div>
      <div className="card">
        <dl className="grid grid-cols-6 max-xl:grid-cols-3 max-row:grid-cols-2">
          {counts.map(({ kind, word, count }) => (
            <div key={kind} className="px-5 py-3 max-row:px-4">
              <dt className="text-sm">{word}</dt>
              <dd className="text-lg font-bold">
                {count.toLocaleString('en-AU')}
                {kind === 'marked' && ticked > 0 ? (
                  <span className="pl-2 text-sm font-normal text-ink-2">{`${ticked} ticked, ${count - ticked} left out`}</span>
                ) : null}
              </dd>
            </div>
          ))}
        </dl>
        <ReadAs read={read} />
      </div>
      {marked.length === 0 ? null : (
        <Part
          title="A spreadsheet may have changed this"
          beside="Left out until you tick a line. The file stays as it is."
        >
          <Lines columns={['Take', 'Line', 'Rego', 'Column', 'In the file', 'What may have happened']}>
            {marked.map((line) => (
              <Marked key={line.line} line={line} onTick={(by) => setTicked((before) => before + by)} />
            ))}
          </Lines>
          {of('marked') > marked.length ? (
            <p className="px-5 py-3 text-sm max-row:px-4">
              {`The first ${marked.length} of ${of('marked').toLocaleString('en-AU')}. All others are left out.`}
            </p>
          ) : null}
        </Part>
      )}
      {refused.length === 0 ? null : (
        <Part
          title="Left out"
          beside={`${counted(of('refused') + of('conflicting'), 'line', 'lines')}, the first ${refused.length}`}
        >
          <Lines columns={['Line', 'Rego', 'Column', 'In the file', 'Why']}>
            {refused.map(({ line, rego, note }) => (
              <Line key={line} line={line} rego={rego} notes={[note]} />
            ))}
          </Lines>
          <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-3 max-row:px-4">
            <p>The CSV has all of these lines as in the file, with the reason in a last column.</p>
            {leftOut}
          </div>
        </Part>
      )}
      {written.length === 0 ? null : (
        <Part title="Imported" beside={hidden === 0 ? '' : `And ${counted(hidden, 'more line', 'more lines')}.`}>
          <Lines columns={['Line', 'Rego', 'Import', 'What']}>
            {written.map((line) => (
              <Written key={line.line} line={line} />
            ))}
          </Lines>
        </Part>
      )}
    </section>
  );
}

const sheetWords = ({ sheet }: TableRead): string => {
  if (sheet === undefined) return '';
  return sheet.of === 1
    ? `Sheet “${sheet.name}”, `
    : `Sheet “${sheet.name}”, one of ${sheet.of}; the others are not read. `;
};

function LeftOut({ count }: { count: number }) {
  if (count <= 0) return null;
  return (
    <button type="submit" formAction="/vehicles/import/left-out.csv" className="button-look button-secondary">
      <Download size={18} aria-hidden="true" />
      {`${count.toLocaleString('en-AU')} left out (CSV)`}
    </button>
  );
}

function ReadAs({ read: { headings, unread, day } }: { read: TableRead }) {
  if (headings.length + unread.length === 0 && day === undefined) return null;
  return (
    <p className="border-t border-line px-5 py-3 text-sm wrap-anywhere max-row:px-4">
      {day === undefined ? null : (
        <>
          {`Dates are read day first: ${day.text} is `}
          <strong>{day.words}</strong>
          {'. '}
        </>
      )}
      {headings.length === 0 ? null : 'Read as: '}
      {headings.map(({ heading, label }) => (
        <span key={heading}>
          <strong>{heading}</strong>
          {` ${label} · `}
        </span>
      ))}
      {unread.length === 0 ? null : `Not read: ${unread.map((name) => `“${name}”`).join(', ')}.`}
      {unread.some((name) => /state/i.test(name)) ? ' A plate has no state here yet.' : null}
    </p>
  );
}

function Part({ title, beside, children }: { title: string; beside: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 py-3 max-row:px-4">
        <h2 className="text-lg">{title}</h2>
        <p className="text-sm text-ink-2">{beside}</p>
      </div>
      {children}
    </section>
  );
}

const ON_DESKS: readonly string[] = ['Column', 'In the file'];

function Lines({ columns, children }: { columns: readonly string[]; children: ReactNode }) {
  return (
    <div className="table-scroll border-t border-line">
      <table className="data-table">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className={ON_DESKS.includes(name) ? 'max-sm:hidden' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

const ROW = 'border-b border-line align-top last:border-b-0';

function Marked({ line: { line, rego, notes }, onTick }: { line: Of<'marked'>; onTick: (by: number) => void }) {
  return (
    <Line line={line} rego={rego} notes={notes}>
      <td rowSpan={notes.length} className="py-1">
        <input
          type="checkbox"
          name="take"
          value={line}
          aria-label={`Take line ${line}`}
          onChange={(event) => onTick(event.currentTarget.checked ? 1 : -1)}
          className="m-2 size-5 accent-accent"
        />
      </td>
    </Line>
  );
}

type Noted = { line: number; rego: string; notes: readonly CellNote[]; children?: ReactNode };

// Each note is a row. On a phone its column and its cell stand before the reason.
function Line({ line, rego, notes, children }: Noted) {
  return notes.map(({ column, cell, why }, place) => (
    <tr key={column} className={place === notes.length - 1 ? ROW : 'align-top'}>
      {place > 0 ? null : (
        <>
          {children}
          <td rowSpan={notes.length} className="py-2 text-right text-ink-2">
            {line.toLocaleString('en-AU')}
          </td>
          <Rego rego={rego} rows={notes.length} />
        </>
      )}
      <td className="py-2 text-sm max-sm:hidden">{labelOf(column)}</td>
      <td className="py-2 font-mono text-sm wrap-anywhere max-sm:hidden">{cell}</td>
      <td className="py-2 text-sm wrap-anywhere">
        <span className="sm:hidden">
          {`${labelOf(column)}: `}
          <span className="font-mono">{cell}</span>
          <br />
        </span>
        {why}
      </td>
    </tr>
  ));
}

function Written({ line }: { line: Of<'new' | 'changed'> }) {
  return (
    <tr className={ROW}>
      <td className="py-2 text-right text-ink-2">{line.line.toLocaleString('en-AU')}</td>
      <Rego rego={line.rego} />
      <td className="py-2 font-semibold">{line.kind === 'new' ? 'New' : 'Changed'}</td>
      <td className="py-2 text-sm wrap-anywhere">{line.changes.join(' · ')}</td>
    </tr>
  );
}

function Rego({ rego, rows = 1 }: { rego: string; rows?: number }) {
  return (
    <th scope="row" rowSpan={rows} className="min-w-22 py-2 font-mono text-sm font-normal wrap-anywhere">
      {rego}
    </th>
  );
}

function labelOf(column: string): string {
  if (column === '') return '–';
  return VEHICLE_FIELDS.find(({ name }) => name === column)?.label ?? 'Rego';
}
