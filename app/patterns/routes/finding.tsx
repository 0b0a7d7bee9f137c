// /patterns/{id}: one finding with its records side by side, for an admin who asks the technician and decides.
import { data, Form, href, Link } from 'react-router';
import { may } from '#app/access/permissions.ts';
import { IfMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { TextAreaField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { Note } from '#app/ui/note.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { noteOpened } from '../decide-finding.server.ts';
import { ANSWER_DAYS, CONCERNED, OUTCOMES, WORDS_MAX } from '../finding.ts';
import { decideAction } from '../finding-action.server.ts';
import { findingPage, type FindingPage } from '../finding-page.server.ts';
import { FindingPlot } from '../finding-plot.tsx';
import { FindingSteps } from '../finding-steps.tsx';
import { RecordsSideBySide } from '../records-side-by-side.tsx';
import type { Route } from './+types/finding';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `${loaderData?.name ?? 'No such finding'} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const who = requireSignedIn(context);
  if ((await findingPage(services, who, { id: params.id, only: 'admins' })) === undefined)
    throw data(null, { status: 404, statusText: 'Not Found' });
  const { db, now, config } = services;
  if (may(who.role, 'decide patterns')) await noteOpened({ db, now, zone: config.timeZone }, who, params.id);
  const page = await findingPage(services, who, { id: params.id, only: 'admins' });
  if (page === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return page;
}

export const action = (args: Route.ActionArgs) => decideAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.finding);

export default function Finding({ loaderData: page, actionData }: Route.ComponentProps) {
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Subscription topics={['patterns']} since={page.since} whereOneTypes />
      <div className="max-w-190">
        <h1 className="pb-1 text-xl">{page.name}</h1>
        <p className="text-ink-2">
          {`${page.technician} · found on ${page.found} · ${page.numbers} · `}
          <Link to={href('/patterns/method')}>{`method, version ${page.methodVersion}`}</Link>
        </p>
      </div>
      <FormNotes answer={answer} />
      <div className="grid items-start gap-5 lg:grid-cols-[3fr_2fr]">
        <Card title="What was found">
          <FactList facts={page.facts} />
          <FindingPlot page={page} />
        </Card>
        <Card title="What it is held against">
          <div className="grid gap-3 px-5 py-4">
            <p>{page.nullModel}</p>
            <p className="text-ink-2">{`What it cannot see: ${page.cannotSee}`}</p>
            {page.isOldMethod ? <p>It was found by an older version of the method.</p> : null}
          </div>
        </Card>
      </div>
      <Card title="The records side by side">
        <RecordsSideBySide records={page.records} linked />
        {page.more === 0 ? null : (
          <p className="border-t border-line px-5 py-3 text-sm text-ink-2">
            {`It rests on ${page.more.toLocaleString('en-AU')} more visits, older than these.`}
          </p>
        )}
      </Card>
      <FindingSteps steps={page.steps} />
      <IfMay to="decide patterns">
        <Decision page={page} answer={answer} />
      </IfMay>
    </main>
  );
}

function Decision({ page, answer }: { page: FindingPage; answer: Route.ComponentProps['actionData'] }) {
  const { state, concerned, isAlone, mayAct, mayAsk, answerUntil } = page;
  if (state === 'decided') return <NextSteps page={page} />;
  if (concerned !== null) return <Note kind="info">{CONCERNED[concerned]}</Note>;
  return (
    <div className="grid max-w-190 gap-5">
      {mayAsk ? (
        <Form method="post" className="card grid gap-4 p-5 max-row:p-4">
          <h2 className="text-lg">Ask the technician</h2>
          <p>
            {`They get a mail, see what was found with its numbers, and answer here. Before anything is done they have ${ANSWER_DAYS} days for it.`}
          </p>
          <input type="hidden" name="form_key" value={page.askKey} />
          <input type="hidden" name="intent" value="ask" />
          <div>
            <SubmitButton look="secondary">Ask</SubmitButton>
          </div>
        </Form>
      ) : null}
      <Form method="post" className="card grid gap-5 p-5 max-row:p-4" noValidate>
        <h2 className="text-lg">Decide</h2>
        {isAlone ? (
          <p className="text-sm text-ink-2">
            You are the only administrator: the record will say that nobody else could decide.
          </p>
        ) : null}
        {mayAct || answerUntil === null ? null : (
          <p className="text-sm text-ink-2">{`An answer is waited for until ${answerUntil}. Until then it can be explained or watched.`}</p>
        )}
        <input type="hidden" name="form_key" value={page.decideKey} />
        <input type="hidden" name="intent" value="decide" />
        <input type="hidden" name="opened_state" value={state} />
        <SelectField
          name="outcome"
          label="What comes of it"
          empty="Choose"
          defaultValue={answer?.values.outcome}
          error={answer?.errors.outcome}
          groups={[
            {
              options: OUTCOMES.filter(({ acts }) => mayAct || !acts).map(({ outcome, words }) => ({
                value: outcome,
                label: words,
              })),
            },
          ]}
        />
        <TextAreaField
          name="words"
          label="Why"
          hint="For administrators and the technician."
          maxLength={WORDS_MAX}
          defaultValue={answer?.values.words}
          error={answer?.errors.words}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>Decide</SubmitButton>
          <GoBack fallback="/patterns" />
        </div>
        <NotSavedBar answer={answer} />
      </Form>
    </div>
  );
}

// What acts has a form of its own.
function NextSteps({ page: { todo } }: { page: FindingPage }) {
  if (todo === null) return null;
  return (
    <p>
      {`${todo.words} `}
      <Link to={todo.to}>{todo.label}</Link>
    </p>
  );
}
