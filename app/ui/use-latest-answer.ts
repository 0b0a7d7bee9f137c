import { useState } from 'react';

/**
 * An action's latest answer, for as long as the page is mounted. The router drops `actionData` when a live update
 * revalidates the page. Without this, the errors of a refusal, or the navigation after a save, would be lost.
 */
export function useLatestAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const [latest, setLatest] = useState(answer);
  if (answer !== undefined && answer !== latest) {
    setLatest(answer);
    return answer;
  }
  return latest;
}
