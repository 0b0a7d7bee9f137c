// The whole answer as CSV: a line for each line of the list, in its order.
import { CSV_BEGIN, csvLine } from '#app/platform/http/csv.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { LineAnswer } from './line-answer.ts';
import { answerWords, inOneLine } from './answer-words.ts';

const COLUMNS = ['line', 'asked_for', 'answer', 'rego', 'due_date', 'what_it_rests_on', 'matches_log', 'as_at'];

/** `asAt`: ISO 8601, UTC. `zone`: of the days. */
export async function* answerCsv(
  answers: AsyncIterable<readonly LineAnswer[]> | Iterable<readonly LineAnswer[]>,
  { asAt, zone }: { asAt: string; zone: string },
): AsyncGenerator<string, void, void> {
  yield CSV_BEGIN + csvLine(COLUMNS);
  for await (const batch of answers)
    yield batch
      .map((answer) => {
        const words = answerWords(answer, (instant) => todayIn(zone, instant));
        const [rego, dueOn, matches] =
          answer.kind === 'found' ? [answer.rego, answer.dueOn, answer.matchesLog] : [null, null, null];
        return csvLine([
          String(answer.number),
          answer.asked,
          words.answer,
          rego,
          dueOn,
          inOneLine(words),
          matches,
          asAt,
        ]);
      })
      .join('');
}
