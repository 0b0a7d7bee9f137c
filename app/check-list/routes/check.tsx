// /check: a list of trucks, and the answer to each of its lines.
import { useLatestAnswer } from '#app/ui/form-notes.tsx';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { checkAction } from '../check-action.server.ts';
import { CheckForm } from '../check-form.tsx';
import { spokenAnswers } from '../answer-words.ts';
import { CheckedAnswers } from '../checked-answers.tsx';
import type { Route } from './+types/check';

export const meta = titled('Check many trucks', {
  description: 'Paste a list of regos or VINs, and see for each truck whether its scale can be trusted today.',
});

export const action = (args: Route.ActionArgs) => checkAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.check);

export default function Check({ actionData }: Route.ComponentProps) {
  const checked = useLatestAnswer(actionData?.more);
  return (
    <PublicFrame>
      {/* There before the answers are: a screen reader says what changes in it. */}
      <p role="status" className="sr-only">
        {checked === undefined ? '' : spokenAnswers(checked)}
      </p>
      {checked === undefined ? (
        <main id="main" className="page grid max-w-200 grid-cols-1 gap-4 pt-8">
          <CheckForm answer={actionData} />
        </main>
      ) : (
        <main id="main" className="page grid grid-cols-1 gap-4 pt-8">
          <CheckedAnswers checked={checked} answer={actionData} />
        </main>
      )}
    </PublicFrame>
  );
}
