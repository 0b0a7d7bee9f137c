import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { counted } from '#app/ui/counted.ts';
import { Note } from '#app/ui/note.tsx';
import type { ImportProgress } from './import-answer.ts';

/** How far an import is. With scripts the next block follows by itself; where the last failed, a button goes on. */
export function ImportRunning({ progress, isStopped }: { progress: ImportProgress; isStopped: boolean }) {
  const { total, next, added, updated, left, hiddenLeft, taken } = progress;
  const goOn = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = goOn.current;
    if (next !== null && !isStopped) button?.form?.requestSubmit(button);
  }, [next, isStopped]);
  const done = `${added.toLocaleString('en-AU')} added, ${updated.toLocaleString('en-AU')} changed`;
  return (
    <section className="grid grid-cols-1 gap-5" aria-label="Import">
      <input type="hidden" name="from" value={next ?? total} />
      <input type="hidden" name="added" value={added} />
      <input type="hidden" name="updated" value={updated} />
      <input type="hidden" name="hiddenLeft" value={hiddenLeft} />
      <input type="hidden" name="take" value={taken.join(' ')} />
      <input
        type="hidden"
        name="left"
        value={left.map(({ line, rego, why }) => `${line} ${rego.replaceAll(/\s/g, '')} ${why}`).join('\n')}
      />
      {next === null ? (
        <Note kind="success">
          {`Imported: ${done}. `}
          <Link to="/vehicles">All vehicles</Link>
        </Note>
      ) : (
        <div className="card grid gap-3 p-5 max-row:p-4">
          <label className="grid gap-2 font-semibold" htmlFor="import-progress">
            {`${next.toLocaleString('en-AU')} of ${counted(total, 'line', 'lines')}`}
          </label>
          <progress id="import-progress" max={total} value={next} className="w-full accent-accent" />
          <p role="status">{`So far ${done}. What is done stays, also if this page is closed.`}</p>
          <div>
            <button ref={goOn} type="submit" name="step" value="import" className="button-look button-primary">
              Go on
            </button>
          </div>
        </div>
      )}
      {left.length === 0 ? null : (
        <section className="card" aria-labelledby="left-out">
          <h2 id="left-out" className="px-5 pt-4 text-lg max-row:px-4">
            {`Left out: ${counted(left.length + hiddenLeft, 'line', 'lines')}`}
          </h2>
          <ul className="grid gap-1.5 p-5 max-row:p-4">
            {left.map(({ line, rego, why }) => (
              <li key={line} className="wrap-anywhere">
                <strong>{`Line ${line.toLocaleString('en-AU')}, ${rego}`}</strong>
                {`: ${why}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}
