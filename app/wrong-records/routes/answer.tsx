// /my-reports/{id}: a report for the technician who is asked, and their answer.
import { data, href } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { Card } from '#app/ui/card.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { stepAction } from '../report-action.server.ts';
import { reportPage } from '../report-page.server.ts';
import { FilesField, ReportSaid, ReportSteps, StepForm, WordsField } from '../report-view.tsx';
import type { Route } from './+types/answer';

export const meta = titled('A report about your record');

export async function loader({ params, context }: Route.LoaderArgs) {
  const { personId } = requireSignedIn(context);
  const report = await reportPage(context.get(servicesContext), params.id, { audience: 'technician', personId });
  if (report === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return { report, personId };
}

export const action = (args: Route.ActionArgs) =>
  stepAction(
    args,
    { audience: 'technician', who: requireSignedIn(args.context) },
    { id: args.params.id, to: href('/my-reports/:id', args.params) },
  );

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.report);

export default function Answer({ loaderData: { report, personId }, actionData, params }: Route.ComponentProps) {
  return (
    <main id="main" className="grid max-w-190 grid-cols-[minmax(0,1fr)] gap-5">
      <Subscription topics={[`person:${personId}`]} since={report.since} whereOneTypes />
      <div>
        <h1 className="pb-1 text-xl">{`${report.rego ?? ''} ${report.kind}`.trim()}</h1>
        <p className="text-ink-2">{`Report ${report.number} · ${report.record} · ${report.heading}`}</p>
      </div>
      <FormNotes answer={actionData} />
      <ReportSaid report={report} page={href('/my-reports/:id', params)} title="What is said" />
      <Card title="So far">
        <ReportSteps report={report} />
      </Card>
      <IfMay to="record visits">
        {report.may.includes('answered') ? (
          <Card title="Your answer">
            <div className="p-5 max-row:p-4">
              <StepForm report={report} answer={actionData} step="answered" button="Send the answer">
                <WordsField label="What do you say to it?" hint="Read by the office before it decides." />
                <FilesField id="answer-files" />
              </StepForm>
            </div>
          </Card>
        ) : null}
      </IfMay>
    </main>
  );
}
