// A batch loader: questions to the database that arrive while one of their kind is running share the next statement.
// Buys: of sixteen requests at once each takes 0.07 ms of the thread and 0.05 of PostgreSQL for its session, instead of 0.27
// and 0.4; the rules for a new reading and the number of waiting visits are asked for so too. Deletable when none of them needs a
// query.
import { settledWithin } from '#app/platform/process/settled-within.server.ts';

// The next batch waits no longer than this for a slow one, whose connection may be broken.
const HELD_MS = 50;

/**
 * A function that loads the answer to one question, in a batch with the others of the moment; undefined where there is
 * none. The query starts after the call, so the answer is never stale.
 */
export function batchLoader<Answer>(
  ask: (questions: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): (question: string) => Promise<Answer | undefined> {
  let next: { questions: Set<string>; answers: Promise<ReadonlyMap<string, Answer>> } | undefined;
  let before: Promise<unknown> = Promise.resolve();
  let isAsking = false;

  const askNow = (questions: ReadonlySet<string>) => {
    next = undefined;
    isAsking = true;
    const answers = ask([...questions]);
    const over = settledWithin(HELD_MS, answers);
    before = over;
    void over.then(() => {
      if (before === over) isAsking = false;
      return undefined;
    });
    return answers;
  };

  return async (question) => {
    if (next === undefined) {
      const questions = new Set<string>();
      const answers = isAsking ? before.then(() => askNow(questions)) : Promise.resolve().then(() => askNow(questions));
      next = { questions, answers };
    }
    next.questions.add(question);
    return (await next.answers).get(question);
  };
}
