// /settings/policy: an admin makes a new version of the policy.
import { Subscription } from '#app/activity-log/subscription.tsx';
import { Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refuseStale } from '#app/forms/refuse-stale.server.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Choice } from '#app/ui/choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { NoteAbove } from '#app/ui/note.tsx';
import { FormNotes, NotSavedBar, useOpenedForm } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { EditedFields } from '#app/ui/merged-edits.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { changePolicy } from '../change-policy.server.ts';
import { policySchema } from '../policy-entry.ts';
import { ALWAYS_MUST, CHECKS } from '../checks.ts';
import { checkField, textsOf, TYPED_FIELDS } from '../policy-fields.ts';
import { findProposal, listPolicies, policyAndLogSize } from '../queries.server.ts';
import type { Route } from './+types/change';

export const meta = titled('Rules');

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const { since, policy } = await policyAndLogSize(db);
  const [latest] = await listPolicies(db);
  return {
    since,
    idempotencyKey: newIdempotencyKey(),
    changedBy: latest?.by ?? 'somebody',
    isChangeProposed: (await findProposal(db)) !== undefined,
    values: { ...textsOf(policy), version: String(policy.version) },
  };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.policy,
    nothing: 'Nothing was changed.',
    schema: policySchema,
    async write({ input, key, form }) {
      const services = args.context.get(servicesContext);
      const answer = await changePolicy(services, requireSignedIn(args.context), { input, key });
      if (answer.changed) return { goTo: { flash: 'policy-changed', to: '/settings' } };
      if ('proposed' in answer) return { goTo: { flash: 'policy-proposed', to: '/settings/policy/proposal' } };
      if (answer.reason === 'proposal-open')
        return refused(409, {
          code: 'proposal-open',
          sentence: 'A change that loosens the rules is proposed already. Withdraw it first.',
          link: { href: '/settings/policy/proposal', label: 'Look at the proposal' },
        });
      if (answer.reason === 'same')
        return refused(400, {
          code: 'nothing-changed',
          sentence: 'These values are already in force. Change one, or cancel.',
        });
      const [latest] = await listPolicies(services.db);
      const { now } = answer;
      const current = {
        what: 'version of the rules',
        version: now.version,
        by: latest?.by ?? 'Somebody',
        texts: textsOf(now),
      } as const;
      return refuseStale(policySchema, form, { now: current, button: 'Save' });
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.policy);

const HINTS = {
  interval_days: 'The suggested due date is this many days after the calibration. At most the longest interval.',
  due_soon_days: 'A calibration due within this many days, counting today, shows as due soon.',
  tolerance_percent:
    'Of the reference mass. Two calibrations agree if they differ by no more than this, or by no more than the kilograms.',
  tolerance_kg: 'The larger of the two limits applies.',
  longest_interval_days: 'From a visit to its due date. Forms refuse more.',
  check_visits_percent:
    'Of the visits that count, so many are drawn at random: somebody else weighs the truck again. 0: none are.',
  assumed_interval_kg: 'Where the register has none. It only says how sure an error at a check load is.',
  prompt_days: 'A visit is prompt when it is recorded within this many days. 0: on the same day.',
} as const;

const YES_OR_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;
const RULES = [
  { value: 'must', label: 'Must' },
  { value: 'noted', label: 'Noted' },
  { value: 'off', label: 'Off' },
] as const;
const isAlwaysMust = (check: string) => ALWAYS_MUST.some((always) => always === check);

export default function ChangePolicy({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, answer, meanwhile } = useOpenedForm(loaderData, actionData);
  const version = answer?.values.version ?? opened.values.version;
  return (
    <main id="main" className="max-w-190">
      <Subscription topics={['policy']} since={opened.since} whereOneTypes />
      <h1 className="pb-3 text-xl">Rules</h1>
      <p className="pb-5 text-ink-2">
        {`Rules version ${version} is in force. Saving makes a new version, which applies at once. The public log shows which version applied when.`}
      </p>
      <p className="pb-5 text-ink-2">
        A change that makes the rules less strict is only proposed: a second administrator of 90 days or more confirms
        it. While there is none, it takes effect after seven days at the earliest, in which the public sees it.
      </p>
      {loaderData.isChangeProposed ? (
        <NoteAbove kind="info">
          A change is proposed already. Saving a stricter version now ends that proposal.{' '}
          <Link to="/settings/policy/proposal">Look at the proposal</Link>
        </NoteAbove>
      ) : null}
      <FormNotes answer={answer} meanwhile={meanwhile} />
      <AnswerForm answer={answer} idempotencyKey={opened.idempotencyKey} className="card grid gap-5 p-6 max-row:p-4">
        <input type="hidden" name="version" value={version} />
        <EditedFields opened={opened.values} answer={answer}>
          <div className="grid gap-5 sm:grid-cols-2">
            {TYPED_FIELDS.map(({ field, label }) => (
              <TextField
                key={field}
                name={field}
                label={label}
                hint={HINTS[field]}
                inputMode={field.endsWith('_percent') ? 'decimal' : 'numeric'}
                autoComplete="off"
                maxLength={12}
                required
              />
            ))}
          </div>
          <Choice
            name="every_visit_waits"
            legend="Every visit waits"
            hint="An administrator looks at each visit before it counts, even if it passes every check."
            options={YES_OR_NO}
            columns="two"
          />
          <section className="grid gap-5" aria-labelledby="checks">
            <div>
              <h2 id="checks" className="text-lg">
                Checks of a visit
              </h2>
              <p className="text-ink-2">
                Must: a visit that fails it waits for an administrator. Noted: the result is shown. Off: the check is
                not made.
              </p>
            </div>
            {CHECKS.map(({ check, name, question }) =>
              isAlwaysMust(check) ? (
                <div key={check}>
                  <p className="font-semibold">{name}</p>
                  <p className="text-sm text-ink-2">{`${question} This is always a must.`}</p>
                </div>
              ) : (
                <Choice
                  key={check}
                  name={checkField(check)}
                  legend={name}
                  hint={question}
                  options={RULES}
                  columns="short"
                />
              ),
            )}
          </section>
        </EditedFields>
        <TextField
          name="reason"
          label="Reason (optional)"
          hint="Kept in the activity log. Not public."
          maxLength={500}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>Save</SubmitButton>
          <ButtonLink to="/settings">Cancel</ButtonLink>
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}
