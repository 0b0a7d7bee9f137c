import Download from 'lucide-react/icons/download';
import { counted } from '#app/ui/counted.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { LINE_KINDS, type ImportPreview, type LinePlan } from './import-answer.ts';

/**
 * The form that is answered with a file. It has the lines once more: the page's own is sent by scripts, which save no
 * file.
 */
export const LEFT_OUT_FORM = 'left-out';

/** What an import of the file would do, line by line, and the button that does it. */
export function ImportPreviewed({ preview: { counts, lines, hidden } }: { preview: ImportPreview }) {
  const of = (kind: LinePlan['kind']) => counts.find((one) => one.kind === kind)?.count ?? 0;
  const writes = of('new') + of('changed');
  const leaves = of('conflicting') + of('refused');
  return (
    <section className="card" aria-label="Preview">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3 border-b border-line px-5 py-4 max-row:px-4">
        {writes === 0 ? (
          <p>There is nothing to import.</p>
        ) : (
          <SubmitButton name="step" value="import" busyText="Importing...">
            {`Import ${counted(writes, 'line', 'lines')}`}
          </SubmitButton>
        )}
        {leaves === 0 ? null : (
          <>
            <p className="text-sm text-ink-2">{`${counted(leaves, 'line is', 'lines are')} left out, as said below.`}</p>
            <button type="submit" form={LEFT_OUT_FORM} className="button-look button-secondary">
              <Download size={18} aria-hidden="true" />
              {`${leaves.toLocaleString('en-AU')} left out (CSV)`}
            </button>
          </>
        )}
      </div>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 px-5 py-4 max-row:px-4">
        {counts.map(({ kind, word, count }) => (
          <li key={kind}>
            <strong>{count.toLocaleString('en-AU')}</strong> {word.toLowerCase()}
          </li>
        ))}
      </ul>
      {lines.length === 0 ? null : <Lines lines={lines} />}
      {hidden === 0 ? null : (
        <p className="border-t border-line px-5 py-3 text-sm text-ink-2 max-row:px-4">
          {`And ${counted(hidden, 'more line', 'more lines')}, which are not shown.`}
        </p>
      )}
    </section>
  );
}

function Lines({ lines }: { lines: readonly LinePlan[] }) {
  return (
    <div className="table-scroll border-t border-line">
      <table className="data-table">
        <caption className="sr-only">What is done with each line</caption>
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className="text-right">
              Line
            </th>
            <th scope="col">Rego</th>
            <th scope="col">Import</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.line} className="border-b border-line align-top last:border-b-0">
              <td className="py-2 text-right text-ink-2">{line.line.toLocaleString('en-AU')}</td>
              <th scope="row" className="min-w-22 py-2 font-mono text-sm font-normal wrap-anywhere">
                {line.rego}
              </th>
              <td className="py-2 font-semibold">{LINE_KINDS.find(({ kind }) => kind === line.kind)?.word}</td>
              <td className="py-2 text-sm wrap-anywhere">
                {'why' in line && line.why}
                {'changes' in line && line.changes.join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
