import type { ReactNode } from 'react';
import { firstSentence } from '#app/visits/visit.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';
import type { ShownCheck } from './visit-page.server.ts';

/**
 * The checks of a visit for anybody who decides: what holds it back first, the first of it large; then its lines and
 * readings; all other checks in one line that opens.
 */
export function CheckList({
  checks,
  policyVersion,
  children,
}: {
  checks: readonly ShownCheck[];
  policyVersion: number | null;
  children: ReactNode;
}) {
  const passed = checks.filter(({ answer }) => answer === 'passed');
  const required = checks.filter(({ answer, rule }) => answer !== 'passed' && rule === 'must');
  const noted = checks.filter(({ answer, rule }) => answer !== 'passed' && rule !== 'must');
  const failed = required.filter(({ answer }) => answer === 'failed').length;
  const rest = [...noted, ...passed];
  return (
    <section className="card" aria-labelledby="checks">
      <header className="flex flex-wrap justify-between gap-x-4 px-5 pt-3 text-sm text-ink-2">
        <h2 id="checks" className="text-sm">
          {checks.length === 0 ? 'Not checked yet' : `${failed} of ${checks.length} checks failed`}
        </h2>
        {policyVersion === null ? null : `Rules version ${policyVersion}`}
      </header>
      <ul>
        {required.map((check, place) => (
          <Line key={check.check} check={check} isLarge={place === 0} />
        ))}
      </ul>
      {children}
      {rest.length === 0 ? null : (
        <details className="border-t border-line px-5 py-1.5 text-sm">
          <summary className="min-h-9 cursor-pointer py-1.5 text-ink-2">
            {noted.length === 0 ? null : <b>{`Noted: ${namesOf(noted)}. `}</b>}
            {`${passed.length} passed: ${namesOf(passed)}.`}
          </summary>
          <ul>
            {rest.map((check) => (
              <Line key={check.check} check={check} isLarge={false} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const namesOf = (checks: readonly ShownCheck[]): string => checks.map(({ name }) => name.toLowerCase()).join(', ');

function Line({ check: { name, sentence, answer, rule }, isLarge }: { check: ShownCheck; isLarge: boolean }) {
  if (isLarge) {
    const first = firstSentence(sentence);
    const others = sentence.slice(first.length);
    return (
      <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-2">
        <span className="min-w-0 flex-1 basis-80">
          <span className="block text-sm font-semibold">{name}</span>
          <span className="block text-lg leading-snug font-bold wrap-anywhere">{first}</span>
          {others === '' ? null : <span className="block text-sm text-ink-2">{others}</span>}
        </span>
        <Answer answer={answer} rule={rule} />
      </li>
    );
  }
  return (
    <li className="grid gap-x-4 gap-y-1 border-b border-line px-5 py-3 last:border-b-0 sm:grid-cols-[10rem_minmax(0,1fr)_auto]">
      <span className="font-semibold">{name}</span>
      <span className="text-ink-2">{sentence}</span>
      <Answer answer={answer} rule={rule} />
    </li>
  );
}

const LOOKS = {
  'cannot be told': {
    look: 'border border-dashed border-line-strong',
    icon: 'circle-question-mark',
    word: 'Cannot be told',
  },
  failed: { look: 'bg-ink text-surface', icon: 'x', word: 'Failed' },
  noted: { look: 'border border-line-strong', icon: 'info', word: 'Noted' },
} as const;

/**
 * An answer has no hue, so that no check looks like a verdict: failed is white on ink, noted outlined, unknown dashed.
 */
function Answer({ answer, rule }: Pick<ShownCheck, 'answer' | 'rule'>) {
  if (answer === 'passed')
    return (
      <span className="inline-flex items-center gap-1 text-sm text-ink-2">
        <RowIcon name="check" className="row-icon" />
        Passed
      </span>
    );
  const { look, icon, word } = LOOKS[answer === 'failed' && rule !== 'must' ? 'noted' : answer];
  return (
    <span
      className={`inline-flex items-center gap-1 self-start justify-self-start rounded-full px-2.5 py-0.5 text-sm font-semibold whitespace-nowrap ${look}`}
    >
      <RowIcon name={icon} className="row-icon" />
      {word}
    </span>
  );
}
