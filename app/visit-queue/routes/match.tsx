// /visits/{id}/match: an admin finds the weighbridge that a visit names in free text in the register.
import { data, href } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ReferenceField } from '#app/references/reference-field.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { NotSavedBar } from '#app/ui/not-saved-bar.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { useLatestAnswer } from '#app/ui/use-latest-answer.ts';
import { matchAction } from '../match-action.server.ts';
import { matchPage } from '../match-page.server.ts';
import type { Route } from './+types/match';

export const meta = titled('Weighbridge of a visit');

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const page = await matchPage(context.get(servicesContext).db, id);
  if (page === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return page;
}

export const action = (args: Route.ActionArgs) => matchAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.matchVisit);

export default function MatchVisit({ loaderData, actionData }: Route.ComponentProps) {
  const { id, day, typed, openedReference, line, idempotencyKey } = loaderData;
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="grid max-w-160 gap-5">
      <h1 className="text-xl">{`Weighbridge of the visit of ${day}`}</h1>
      <FormNotes answer={answer} />
      <div className="card">
        <FactList
          facts={[
            { label: 'The technician typed', value: typed === '' ? 'Nothing' : typed },
            { label: 'In the register', value: line },
          ]}
        />
      </div>
      <AnswerForm
        answer={answer}
        idempotencyKey={idempotencyKey}
        className="card grid gap-5 p-5 max-row:p-4"
        noValidate
      >
        <input type="hidden" name="opened_reference" value={openedReference} />
        <ReferenceField
          label="Weighbridge"
          hint="Type to find it in the register. The visit is then held against its checks again; a decision stays."
          maxLength={300}
          defaultValue={answer?.values.weighbridge ?? typed}
          defaultId={answer?.values.reference_id}
          error={answer?.errors.weighbridge}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>It is this weighbridge</SubmitButton>
          <GoBack fallback={href('/visits/:id', { id })} />
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}
