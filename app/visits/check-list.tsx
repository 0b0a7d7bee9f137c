import { Card } from '#app/ui/card.tsx';
import { RowIcon } from '#app/ui/row-icon.tsx';
import type { ShownCheck } from './visit-page.server.ts';

/** The checks of a visit for whoever decides: what failed first, what passed in one line that opens. */
export function CheckList({ checks, policyVersion }: { checks: readonly ShownCheck[]; policyVersion: number | null }) {
  const passed = checks.filter(({ answer }) => answer === 'passed');
  const open = checks.filter(({ answer }) => answer !== 'passed');
  const failed = open.filter(({ answer, rule }) => answer === 'failed' && rule === 'must').length;
  return (
    <Card
      title={checks.length === 0 ? 'Not checked yet' : `${failed} of ${checks.length} checks failed`}
      id="checks"
      aside={
        policyVersion === null ? null : <span className="text-sm text-ink-3">{`Rules version ${policyVersion}`}</span>
      }
    >
      {open.length === 0 ? null : (
        <ul>
          {open.map((check) => (
            <Line key={check.check} check={check} />
          ))}
        </ul>
      )}
      {passed.length === 0 ? null : (
        <details className="px-5 py-3 text-sm">
          <summary className="min-h-9 cursor-pointer py-1.5 text-ink-2">
            {`${passed.length} passed: ${passed.map(({ name }) => name.toLowerCase()).join(', ')}.`}
          </summary>
          <ul>
            {passed.map((check) => (
              <Line key={check.check} check={check} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Line({ check: { name, sentence, answer, rule } }: { check: ShownCheck }) {
  return (
    <li className="grid gap-x-4 gap-y-1 border-b border-line px-5 py-3 last:border-b-0 sm:grid-cols-[10rem_minmax(0,1fr)_auto]">
      <span className="font-semibold">{name}</span>
      <span className="text-ink-2">{sentence}</span>
      <Answer answer={answer} rule={rule} />
    </li>
  );
}

/** An answer has no hue, so that no check looks like a verdict: failed is white on ink, noted outlined, unknown dashed. */
function Answer({ answer, rule }: Pick<ShownCheck, 'answer' | 'rule'>) {
  if (answer === 'passed')
    return (
      <span className="inline-flex items-center gap-1 text-sm text-ink-2">
        <RowIcon name="check" className="row-icon" />
        Passed
      </span>
    );
  const look =
    answer === 'cannot be told'
      ? 'border border-dashed border-line-strong'
      : rule === 'must'
        ? 'bg-ink text-surface'
        : 'border border-line-strong';
  const icon = answer === 'cannot be told' ? 'circle-question-mark' : rule === 'must' ? 'x' : 'info';
  const word = answer === 'cannot be told' ? 'Cannot be told' : rule === 'must' ? 'Failed' : 'Noted';
  return (
    <span
      className={`inline-flex items-center gap-1 self-start justify-self-start rounded-full px-2.5 py-0.5 text-sm font-semibold whitespace-nowrap ${look}`}
    >
      <RowIcon name={icon} className="row-icon" />
      {word}
    </span>
  );
}
