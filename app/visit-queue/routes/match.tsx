// /visits/{id}/match: an admin finds the weighbridge that a visit names in free text in the register.
import { data, href } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ReferenceField } from '#app/references/reference-field.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { matchPage } from '../match-page.server.ts';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { matchVisit, type MatchVisitAnswer } from '#app/visits/match-visit.server.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { optionalLine } from '#app/forms/text-fields.ts';
import { matchReference } from '#app/references/match-reference.server.ts';
import { NOT_YOURS } from '../decision.ts';
import type { Route } from './+types/match';

export const meta = titled('Weighbridge of a visit');

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const page = await matchPage(context.get(servicesContext).db, id);
  if (page === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return page;
}

const matchSchema = z.object({
  weighbridge: optionalLine(300),
  reference_id: z.string().default(''),
  /** The visit's weighbridge as the page showed it; '' is none. */
  opened_reference: z.string().default(''),
});
type MatchField = keyof z.infer<typeof matchSchema>;

const NOT_FOUND = 'Choose a weighbridge of the register: its name, or the whole line that is suggested.';

export function action(args: Route.ActionArgs) {
  const { id } = args.params;
  return submitForm(args, {
    failure: FAILURES.matchVisit,
    nothing: 'Nothing was changed.',
    schema: matchSchema,
    async write({ input, key }) {
      const services = args.context.get(servicesContext);
      const { referenceId } = await matchReference(services.db, input);
      if (referenceId === null) return refused<MatchField>(400, { errors: { weighbridge: NOT_FOUND } });
      const openedReference = input.opened_reference === '' ? null : input.opened_reference;
      const who = requireSignedIn(args.context);
      const answer = await matchVisit(services, who, { visitId: id, referenceId, openedReference, key });
      return answer.matched
        ? { goTo: { flash: 'visit-matched', to: `/visits/${encodeURIComponent(id)}` } }
        : refuse(answer);
    },
  });
}

const REFUSALS = {
  unknown: refused(404, { code: 'visit-unknown', sentence: 'There is no such visit.' }),
  removed: refused(409, { code: 'vehicle-removed', sentence: 'This vehicle has been removed. Nothing was changed.' }),
  stale: refused(409, {
    code: 'changed-meanwhile',
    sentence: 'The visit names another weighbridge by now, or this one. Look at it again.',
  }),
  withdrawn: refused(409, {
    code: 'withdrawn',
    sentence: 'The weighbridge that the visit names was withdrawn for that day. Lift it, or decide.',
  }),
  'own-visit': refused(403, { code: 'own-visit', sentence: NOT_YOURS['own-visit'] }),
  'admitted-by-you': refused(403, { code: 'admitted-by-you', sentence: NOT_YOURS['admitted-by-you'] }),
  'too-new': refused(403, { code: 'too-new', sentence: NOT_YOURS['too-new'] }),
} as const;

function refuse({ reason }: MatchVisitAnswer & { matched: false }) {
  if (reason === 'no-reference') return refused<MatchField>(400, { errors: { weighbridge: NOT_FOUND } });
  return REFUSALS[reason];
}

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
      <AnswerForm answer={answer} idempotencyKey={idempotencyKey} className="card grid gap-5 p-5 max-row:p-4">
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
