// /my-patterns/{id}: what was found in the technician's own visits, and their answer.
import { data, href, Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { TextAreaField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { WORDS_MAX } from '../finding.ts';
import { answerAction } from '../finding-action.server.ts';
import { findingPage } from '../finding-page.server.ts';
import { FindingPlot } from '../finding-plot.tsx';
import { FindingSteps } from '../finding-steps.tsx';
import { RecordsSideBySide } from '../records-side-by-side.tsx';
import type { Route } from './+types/my-finding';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `${loaderData?.name ?? 'No such finding'} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const who = requireSignedIn(context);
  const page = await findingPage(context.get(servicesContext), who, { id: params.id, only: 'technician' });
  if (page === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return { ...page, personId: who.personId };
}

export const action = (args: Route.ActionArgs) => answerAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.finding);

export default function MyFinding({ loaderData: page, actionData }: Route.ComponentProps) {
  return (
    <main id="main" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Subscription topics={[`person:${page.personId}`]} since={page.since} whereOneTypes />
      <div className="max-w-190">
        <h1 className="pb-1 text-xl">{page.name}</h1>
        <p className="text-ink-2">
          {`Found in your visits on ${page.found} · ${page.numbers} · `}
          <Link to={href('/patterns/method')}>{`method, version ${page.methodVersion}`}</Link>
        </p>
      </div>
      <FormNotes answer={actionData} />
      <Card title="What was found">
        <FactList facts={page.facts} />
        <FindingPlot page={page} />
        <div className="grid gap-3 border-t border-line px-5 py-4">
          <p>{page.nullModel}</p>
          <p className="text-ink-2">{`What it cannot see: ${page.cannotSee}`}</p>
          <p>It is a reason to look, and says nothing about you. Only the office of this registry sees it.</p>
        </div>
      </Card>
      <Card title="The records side by side">
        <RecordsSideBySide records={page.records} linked={false} />
      </Card>
      <FindingSteps steps={page.steps} />
      {page.state === 'decided' ? null : (
        <IfMay to="record visits">
          <AnswerForm answer={actionData} className="card grid max-w-190 gap-5 p-5 max-row:p-4">
            <h2 className="text-lg">Your answer</h2>
            <p className="text-ink-2">{`Administrators read it before they decide. Nothing is done before ${page.answerUntil ?? 'then'} without it.`}</p>
            <input type="hidden" name="form_key" value={page.decideKey} />
            <TextAreaField name="words" label="What explains it" maxLength={WORDS_MAX} required />
            <div>
              <SubmitButton>Send the answer</SubmitButton>
            </div>
            <NotSavedBar />
          </AnswerForm>
        </IfMay>
      )}
    </main>
  );
}
