// /reports/{id}: one report for the office, which passes it on, writes, and decides.
import { data, href } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { Card } from '#app/ui/card.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { Note } from '#app/ui/note.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { stepAction } from '../report-action.server.ts';
import { officePart, reportPage } from '../report-page.server.ts';
import { ReportSaid, ReportSteps, StepForm, WordsField } from '../report-view.tsx';
import { ANSWER_DAYS, REFUSALS } from '../report.ts';
import type { Route } from './+types/decide';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `${loaderData?.report.number ?? 'No such report'} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const report = await reportPage(services, params.id, { audience: 'office' });
  const office = await officePart(services, params.id, requireSignedIn(context).personId);
  if (report === undefined || office === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return { report, office };
}

export const action = (args: Route.ActionArgs) =>
  stepAction(
    args,
    { audience: 'office', who: requireSignedIn(args.context) },
    { id: args.params.id, to: href('/reports/:id', args.params) },
  );

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.report);

export default function Decide({ loaderData: { report, office }, actionData, params }: Route.ComponentProps) {
  const forms = { report, answer: actionData };
  const left = report.dueInDays;
  return (
    <main id="main" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Subscription topics={['reports', 'vehicles', 'visits', 'references']} since={report.since} whereOneTypes />
      <div>
        <h1 className="pb-1 text-xl">{`${report.rego ?? ''} ${report.kind}`.trim()}</h1>
        <p className="text-ink-2">{`Report ${report.number} · ${report.record} · ${report.heading}`}</p>
        <p className={left !== null && left <= 7 ? 'font-semibold text-due-text' : ''}>{`${report.lead} ${report.by}`}</p>
      </div>
      <FormNotes answer={actionData} />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <ReportSaid report={report} page={href('/reports/:id', params)} title="What is said" />
        <div className="grid gap-5">
          <Card title="So far">
            <ReportSteps report={report} />
          </Card>
          <Card title="Who may not decide">
            <ul className="grid gap-2 px-5 py-4">
              {office.parts.map(({ name, words }) => (
                <li key={name}>{`${name} ${words}`}</li>
              ))}
              {office.parts.length === 0 ? <li>Nobody had a part in it.</li> : null}
            </ul>
          </Card>
          <p className="text-sm text-ink-2">
            The reporter is an address that nobody sees. No page, mail, export or log entry names it.
          </p>
        </div>
      </div>
      <IfMay to="decide reports">
        {office.standing === 'not-yours' ? (
          <Note kind="info">{REFUSALS['not-yours'].sentence}</Note>
        ) : (
          <div className="grid items-start gap-5 xl:grid-cols-2 *:card *:p-5 *:empty:hidden">
            <div>
              <StepForm {...forms} step="asked" button="It is no spam: pass it on" look="secondary">
                <p>{`Its record then says that a report is open. The technician is asked, and has ${ANSWER_DAYS} days.`}</p>
              </StepForm>
            </div>
            <div>
              <StepForm {...forms} step="spam" button="Close it as spam" look="secondary">
                <p>It says nothing about a record. Nothing becomes public.</p>
              </StepForm>
            </div>
            <div>
              <StepForm {...forms} step="decided" button="Decide">
                {office.standing === 'alone' ? (
                  <p>You had a part in it, and no other administrator could decide. The reporter is told so.</p>
                ) : null}
                <SelectField
                  name="decision"
                  label="Decision"
                  hint="What acts is done by its own form first. Then it stands here."
                  empty="Choose"
                  groups={[
                    {
                      options: office.decisions.map(({ value, label, act }) => ({
                        value,
                        label: act === null ? `${label} (not done yet)` : [label, act].filter(Boolean).join(': '),
                      })),
                    },
                  ]}
                />
                <WordsField label="Words to the reporter" />
              </StepForm>
            </div>
            <div>
              <StepForm {...forms} step="written" button="Write to the reporter" look="secondary">
                <WordsField label="A question or news" hint="They read it at the report’s address, and a mail says so." />
              </StepForm>
            </div>
          </div>
        )}
      </IfMay>
    </main>
  );
}
