// A report for who sent it, at its secret address /reports/r/{token}; for the technician who is asked, at
// /my-reports/{id}; and for the office, which passes it on and decides, at /reports/{id}.
import { data, href, Link, useLocation } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { DeadLink } from '#app/shell/dead-link.tsx';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { Card } from '#app/ui/card.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { ArrivalNote, Note } from '#app/ui/note.tsx';
import { titled } from '#app/ui/page-title.ts';
import { SelectField } from '#app/ui/select-field.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { useSite } from '#app/ui/site.ts';
import { readerOf, stepAction } from '../report-action.server.ts';
import { reportPage, type ShownReport } from '../report-page.server.ts';
import { FilesField, ReportSaid, ReportSteps, StepForm, WordsField } from '../report-view.tsx';
import type { Route } from './+types/report';

export const meta = titled('Report', { robots: 'noindex' });

export async function loader(args: Route.LoaderArgs) {
  const found = await readerOf(args);
  if (found === undefined && args.params.token === undefined)
    throw data(null, { status: 404, statusText: 'Not Found' });
  if (found === undefined) return data({ report: null }, 410);
  return data({ report: await reportPage(args.context.get(servicesContext), found.report.id, found.by) });
}

export const action = (args: Route.ActionArgs) => stepAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.report);

export default function Report({ loaderData: { report }, actionData }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const { registryName } = useSite();
  if (report === null)
    return (
      <DeadLink
        why="The report was erased, or nobody confirmed it within three days."
        to={href('/reports/mine')}
        label="Your reports"
      />
    );
  const forms = { report, answer: actionData };
  const isReporter = report.as === 'reporter';
  return (
    <>
      {isReporter ? <SearchHeader name={registryName} /> : null}
      <main id="main" className={isReporter ? 'page pt-6' : ''}>
        {isReporter ? null : <Subscription topics={[report.topic]} since={report.since} whereOneTypes />}
        <div className="grid max-w-190 grid-cols-[minmax(0,1fr)] gap-5">
          {isReporter ? <ArrivalNote /> : null}
          <div>
            <p className="text-sm text-ink-2">
              {`Report ${report.number} · `}
              <Link to={report.to} className="link-in-text wrap-anywhere">{`${report.name}, ${report.record}`}</Link>
            </p>
            <h1 className="text-2xl">{report.heading}</h1>
            <p className={report.isSoon ? 'font-semibold text-due-text' : 'text-ink-2'}>{report.lead}</p>
          </div>
          <FormNotes answer={actionData} />
          {isReporter ? <ForReporter {...forms} page={pathname} /> : null}
          <ReportSaid report={report} fileAt={(id) => `${pathname}/files/${id}${search}`} />
          <Card title="So far">
            <ReportSteps report={report} />
          </Card>
          <StepForm {...forms} step="added" title="Add something" button="Send it">
            <WordsField label="What else do you know?" />
            <FilesField />
          </StepForm>
          <StepForm {...forms} step="taken-back" title="Take the report back" button="Take it back">
            <p>Nothing more is done about it then. That cannot be undone.</p>
          </StepForm>
          <IfMay to="record visits">
            <StepForm {...forms} step="answered" title="Your answer" button="Send the answer">
              <WordsField label="What do you say to it?" hint="Read by the office before it decides." />
              <FilesField />
            </StepForm>
          </IfMay>
          {report.office === null ? null : <ForOffice {...forms} office={report.office} />}
        </div>
      </main>
    </>
  );
}

type Forms = { report: ShownReport; answer: Route.ComponentProps['actionData'] };

function ForReporter({ page, ...forms }: Forms & { page: string }) {
  const { may } = forms.report;
  return (
    <>
      {forms.report.heading === 'Received' && !may.includes('confirmed') ? (
        <Note kind="info">
          We sent a link to your email. Nobody reads the report before you press it. Keep the address of this page: who
          has it sees the state and your words. <span className="font-mono text-sm">{page}</span>
        </Note>
      ) : null}
      <StepForm {...forms} step="confirmed" title="Is it from you?" button="Confirm the report" />
      <StepForm {...forms} step="second-look" title="You may ask once for a second look" button="Ask for a second look">
        <p>Another administrator reads all of it.</p>
      </StepForm>
    </>
  );
}

function ForOffice({ office, ...forms }: Forms & { office: NonNullable<ShownReport['office']> }) {
  return (
    <>
      <Card title="Who may not decide">
        <p className="px-5 py-4 whitespace-pre-line max-row:px-4">
          {[...office.parts, 'No page, mail, export or log entry names the reporter.'].join('\n')}
        </p>
      </Card>
      {office.refusal && <Note kind="info">{office.refusal}</Note>}
      <IfMay to="decide reports">
        <StepForm {...forms} step="asked" title="Pass it on" button="Pass it on">
          <p>It is no spam: the record’s page then says that a report is open. The technician has 14 days.</p>
        </StepForm>
        <StepForm {...forms} step="spam" title="It says nothing about a record" button="Close it as spam" />
        <StepForm {...forms} step="decided" title="Decide" button="Decide">
          {office.isAlone ? <p>You had a part in it. As no other could decide, the reporter is told so.</p> : null}
          <SelectField
            name="decision"
            label="Decision, and the act behind it"
            hint="The act is done first, by its own form. Then it stands here."
            empty="Choose"
            groups={[{ options: office.decisions }]}
          />
          <WordsField label="Words to the reporter" />
        </StepForm>
      </IfMay>
    </>
  );
}
