import { PolicyLine } from '#app/policy/policy-line.tsx';
import { Card } from '#app/ui/card.tsx';
import type { EvidenceCard as Shown, ShownCheck } from './present-evidence.ts';
import { AnswerMark, StateMark } from './visit-marks.tsx';

/** A visit, and the checks that it was held against. */
export function EvidenceCard({ card }: { card: Shown }) {
  const { id, title, visit, state, word, about, groups, foot, policyVersion } = card;
  return (
    <Card
      title={title}
      id={id}
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
          {visit}
          {state === null ? null : <StateMark state={state} word={word} />}
        </span>
      }
    >
      <p className="px-5 py-3 max-row:px-4">{about}</p>
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title} className="check-group">
          <h3>{group.title}</h3>
          <ul>
            {group.checks.map((check) => (
              <CheckRow key={check.name} check={check} />
            ))}
          </ul>
        </section>
      ))}
      {foot === '' ? null : (
        <p className="flex flex-wrap justify-between gap-x-4 border-t border-line px-5 py-2.5 text-sm text-ink-2 max-row:px-4">
          <span>{foot}</span>
          {policyVersion === null ? null : (
            <span>
              Held against <PolicyLine version={policyVersion} />
            </span>
          )}
        </p>
      )}
    </Card>
  );
}

function CheckRow({ check: { name, look, answer, sentence } }: { check: ShownCheck }) {
  return (
    <li className="check-row">
      <span className="name">{name}</span>
      <AnswerMark look={look} words={answer} />
      <span className="sentence">{sentence}</span>
    </li>
  );
}
