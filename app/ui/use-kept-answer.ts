import { useState } from 'react';

/**
 * An action's latest answer, kept while the page stays: the router forgets it as soon as live updates reload the page's
 * data, and with it what was refused and why, or that the page is about to go on.
 */
export function useKeptAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const [kept, setKept] = useState(answer);
  if (answer !== undefined && answer !== kept) {
    setKept(answer);
    return answer;
  }
  return kept;
}
