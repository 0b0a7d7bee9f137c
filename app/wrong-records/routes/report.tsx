// /reports/r/{token}: a report at its secret address, for who sent it.
import { data, href } from 'react-router';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { DeadLink } from '#app/shell/dead-link.tsx';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { ArrivalNote } from '#app/ui/note.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { useSite } from '#app/ui/site.ts';
import { findLink } from '../queries.server.ts';
import { stepAction } from '../report-action.server.ts';
import { reportPage } from '../report-page.server.ts';
import { FilesField, ReportSaid, ReportSteps, StepForm, WordsField } from '../report-view.tsx';
import type { Route } from './+types/report';

export const meta = titled('Your report', { robots: 'noindex' });

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const report = url.searchParams.get('report');
  const link = await findLink(services.db, params.token, { now: services.now(), report });
  const page = link?.reportId == null ? undefined : await reportPage(services, link.reportId, { audience: 'reporter' });
  if (link === undefined || page === undefined) return data({ report: null }, 410);
  return data({ report: { ...page, may: page.may.filter((step) => step !== 'confirmed' || link.byMail) } });
}

export async function action(args: Route.ActionArgs) {
  const { db, now } = args.context.get(servicesContext);
  const report = args.url.searchParams.get('report');
  const link = await findLink(db, args.params.token, { now: now(), report });
  return stepAction(
    args,
    { audience: 'reporter', byMail: link?.byMail === true },
    { id: link?.reportId ?? undefined, to: `${href('/reports/r/:token', args.params)}${args.url.search}` },
  );
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.report);

export default function Report({ loaderData: { report }, actionData, params }: Route.ComponentProps) {
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
  const isSent = report.state === 'received' && !report.may.includes('confirmed');
  return (
    <>
      <SearchHeader name={registryName} />
      <main id="main" className="page pt-6">
        <div className="mx-auto grid max-w-160 grid-cols-1 gap-5">
          <ArrivalNote />
          <FormNotes answer={actionData} />
          <div className="card divide-y divide-line">
            <div className="grid gap-2 p-5 max-row:p-4">
              <p className="text-sm text-ink-2">{`Report ${report.number} · only with this address`}</p>
              <h1 className="text-2xl">{isSent ? 'Received. Now confirm your email.' : report.heading}</h1>
              <p>{`${report.lead} ${report.by}`}</p>
              {isSent ? (
                <>
                  <p>Keep the address of this page: who has it sees the state and your words.</p>
                  <p className="font-mono text-sm wrap-anywhere">{href('/reports/r/:token', params)}</p>
                  <p className="text-sm text-ink-2">No email after a few minutes? Look among junk mail, or:</p>
                  <StepForm {...forms} step="resend" button="Send it again" look="secondary" />
                </>
              ) : null}
              <StepForm {...forms} step="confirmed" button="Confirm the report" />
            </div>
            {report.may.includes('second-look') ? (
              <div className="grid gap-2 p-5 max-row:p-4">
                <h2 className="text-base">You may ask once for a second look</h2>
                <p className="text-ink-2">Another administrator reads all of it.</p>
                <StepForm {...forms} step="second-look" button="Ask for a second look" look="secondary" />
              </div>
            ) : null}
            <ReportSteps report={report} />
          </div>
          <ReportSaid report={report} page={href('/reports/r/:token', params)} title="What was said" />
          <Opened step="added" title="Add something" {...forms}>
            <StepForm {...forms} step="added" button="Send it">
              <WordsField label="What else do you know?" />
              <FilesField id="more-files" />
            </StepForm>
          </Opened>
          <Opened step="taken-back" title="Take the report back" {...forms}>
            <p>Nothing more is done about it then. That cannot be undone.</p>
            <StepForm {...forms} step="taken-back" button="Take it back" look="secondary" />
          </Opened>
        </div>
      </main>
    </>
  );
}

// Closed until it is wanted, also without scripts; open where the form in it was refused.
function Opened({
  step,
  title,
  report,
  answer,
  children,
}: { step: 'added' | 'taken-back'; title: string; children: React.ReactNode } & Omit<
  Parameters<typeof StepForm>[0],
  'step' | 'button' | 'children'
>) {
  if (!report.may.includes(step)) return null;
  return (
    <details className="card p-5 max-row:p-4" open={answer?.values['intent'] === step}>
      <summary className="min-h-11 cursor-pointer font-semibold">{title}</summary>
      <div className="grid gap-4 pt-3">{children}</div>
    </details>
  );
}
