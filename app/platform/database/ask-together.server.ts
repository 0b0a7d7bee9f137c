// Questions to the database that come in while one of their kind is being asked go together, in one statement.
import { settledWithin } from '#app/platform/process/settled-within.server.ts';

// The next go without waiting any longer for an answer that is slow to come: a connection may have broken.
const HELD_MS = 50;

/**
 * A function that asks one question, together with the others of the moment; undefined where there is no answer. What is
 * answered was asked after the question came: never what was so before.
 */
export function askTogether<Answer>(
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
