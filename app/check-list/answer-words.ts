// The answer to a line in words: the same on the page, in the CSV file and on the receipt.
import { MAY_HAVE_CHANGED } from '#app/platform/http/spreadsheet-mark.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { VERDICTS, type Verdict } from '#app/vehicles/verdict-table.ts';
import { counted } from '#app/ui/counted.ts';
import type { LineAnswer } from './line-answer.ts';

/** One letter for each answer: what the page counts and filters by. */
export const ANSWER_KINDS = [
  { kind: 'valid', letter: 'v', word: 'Valid' },
  { kind: 'due-soon', letter: 's', word: 'Due soon' },
  { kind: 'overdue', letter: 'o', word: 'Overdue' },
  { kind: 'not-validated', letter: 'n', word: 'Not validated' },
  { kind: 'never-calibrated', letter: 'c', word: 'Never calibrated' },
  { kind: 'no-match', letter: 'm', word: 'Does not match the log' },
  { kind: 'no-answer', letter: 'x', word: 'No answer' },
] as const satisfies readonly { kind: Verdict | 'no-match' | 'no-answer'; letter: string; word: string }[];
export type AnswerKind = (typeof ANSWER_KINDS)[number]['kind'];

const SPOKEN: Partial<Record<AnswerKind, string>> = { 'no-match': 'not as logged', 'no-answer': 'without an answer' };

/** A list's answers in one sentence for a screen reader: what somebody must act on. */
export function spokenAnswers(list: { total: number; counts: readonly { kind: AnswerKind; count: number }[] }): string {
  const counts = ANSWER_KINDS.flatMap(({ kind, word }) => {
    const count = list.counts.find((one) => one.kind === kind)?.count ?? 0;
    return count === 0 || kind === 'valid'
      ? []
      : `${count.toLocaleString('en-AU')} ${SPOKEN[kind] ?? word.toLowerCase()}`;
  });
  return `${counted(list.total, 'line', 'lines')} checked: ${counts.length === 0 ? 'all valid' : counts.join(', ')}`;
}

export function kindOf(answer: LineAnswer): AnswerKind {
  if (answer.kind !== 'found') return 'no-answer';
  return answer.matchesLog ? answer.verdict : 'no-match';
}

/** `before` and `after` stand around the links to `regos`. */
export type AnswerWords = { answer: string; due: string; before: string; regos: string[]; after: string };

/** `zone`: the registry's; `dayOf`: the day of an instant there. */
export function answerWords(answer: LineAnswer, dayOf: (instant: Date) => string): AnswerWords {
  const words = wordsOf(answer, dayOf);
  if (answer.changed === undefined) return words;
  const why = answer.kind === 'found' || words.regos.length === 0 ? ` ${answer.changed}` : '';
  return { ...words, before: `${MAY_HAVE_CHANGED}${why} ${words.before}` };
}

function wordsOf(answer: LineAnswer, dayOf: (instant: Date) => string): AnswerWords {
  const words = (said: Partial<AnswerWords> & { answer: string }): AnswerWords => ({
    due: '',
    before: '',
    regos: [],
    after: '',
    ...said,
  });
  switch (answer.kind) {
    case 'heading':
      return words({ answer: 'Heading', before: `Read as the heading of the column${statesWords(answer.states)}` });
    case 'empty':
      return words({ answer: 'Empty line', before: `Line ${answer.number} is empty` });
    case 'unreadable':
      return words({ answer: 'Not readable', before: answer.why });
    case 'several':
      return words({
        answer: counted(answer.total, 'match', 'matches'),
        regos: answer.regos,
        after:
          answer.total > answer.regos.length
            ? ` and ${(answer.total - answer.regos.length).toLocaleString('en-AU')} more`
            : '',
      });
    case 'not-found':
      return answer.near.length > 0
        ? words({
            answer: 'Not found',
            before: 'Did you mean ',
            regos: answer.near,
            after: answer.in === undefined ? '?' : `? It is recorded for ${answer.in}.`,
          })
        : words({
            answer: 'Not found',
            before:
              answer.removedAt === null
                ? 'Not in this registry'
                : `Removed from this registry on ${formatDay(dayOf(answer.removedAt))}`,
          });
    case 'found':
      return words({
        answer: answer.matchesLog
          ? (VERDICTS.find(({ verdict }) => verdict === answer.verdict)?.word ?? answer.verdict)
          : 'Does not match the log',
        due: answer.dueOn === null ? '' : formatDay(answer.dueOn, 'short'),
        before: [
          ...(answer.formerly === undefined ? [] : [`${answer.formerly}, now ${answer.rego}`]),
          ...(answer.byVin ? [`Rego ${answer.rego}`] : []),
          ...(answer.without === undefined ? [] : [`${answer.rego}, read without ${answer.without}`]),
          answer.sameAs === null ? answer.restsOn : `Same truck as line ${answer.sameAs.toLocaleString('en-AU')}`,
        ].join('. '),
      });
  }
}

/** Of a column of states beside the regos. */
export const statesWords = (heading: string | undefined): string =>
  heading === undefined ? '' : `. “${heading}” is read with it`;

/** 'Did you mean XV04KL, XV04KI?' */
export const inOneLine = ({ before, regos, after }: Pick<AnswerWords, 'before' | 'regos' | 'after'>): string =>
  `${before}${regos.join(', ')}${after}`;
