// /settings/policy: an admin makes a new version of the policy.
import { data, Form, Link, redirect } from 'react-router';
import { requireSignedIn } from '#app/account/session.server.ts';
import { newFormKey } from '#app/platform/form-key.server.ts';
import { fieldsOf, readForm } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/keep-typed.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { useOpenedForm } from '#app/ui/use-opened-form.ts';
import { changePolicy } from '../change-policy.server.ts';
import { policySchema, type PolicyField } from '../policy-entry.ts';
import { POLICY_FIELDS, type Policy } from '../policy.ts';
import { listPolicies, policyAndLogSize } from '../queries.server.ts';
import type { Route } from './+types/change';

type Words = Partial<Record<PolicyField, string>>;
type Answer = FormAnswer<PolicyField> & { theirs?: Words };

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Policy · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(services);
  const { since, policy } = await policyAndLogSize(db);
  const [latest] = await listPolicies(db);
  return {
    since,
    formKey: newFormKey(),
    changedBy: latest?.by ?? 'somebody',
    values: { ...valuesOf(policy), version: String(policy.version) },
  };
}

const valuesOf = (policy: Policy) => Object.fromEntries(POLICY_FIELDS.map(({ field, of }) => [field, of(policy)]));

const FAILURE = 'Error changing policy:';

export async function action({ request, context }: Route.ActionArgs) {
  const given = context.get(services);
  const form = await fieldsOf(request);
  const read = readForm(policySchema, form);
  if (!read.ok) return data<Answer>({ values: read.values, errors: read.errors }, { status: 400 });
  const refuse = (status: number, cause: string, more: Partial<Answer> = {}) =>
    data<Answer>(
      { errors: {}, ...more, values: { ...read.values, ...more.values }, failure: `${FAILURE} ${cause}` },
      { status },
    );
  try {
    const answer = await changePolicy(given.db, requireSignedIn(context), read.input, form.get('form_key'));
    if (answer.changed)
      return redirect('/settings', { status: 303, headers: { 'set-cookie': carryNotice('policy-changed') } });
    if (answer.reason === 'same')
      return refuse(400, 'nothing-changed. These are the values in force. Change one, or go back.');
    const [latest] = await listPolicies(given.db);
    return refuse(
      409,
      `changed-meanwhile. Nothing was saved, as ${latest?.by ?? 'somebody'} changed the policy meanwhile: version ${answer.now.version} is in force. Both values stand at each field that differs. Press Save to make yours the next version.`,
      { theirs: theirsOf(answer.now, read.values), values: { version: String(answer.now.version) } },
    );
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'the policy was not changed');
    return refuse(503, 'registry-unavailable. Nothing was changed. Try again in a moment.');
  }
}

const theirsOf = (now: Policy, typed: Words): Words =>
  Object.fromEntries(
    POLICY_FIELDS.filter(({ field, of }) => typed[field] !== of(now)).map(({ field, of }) => [
      field,
      `In version ${now.version}, in force now: ${of(now)}`,
    ]),
  );

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURE);

const HINTS = {
  interval_days: 'From one calibration to the next, as suggested where a due date is entered.',
  due_soon_days: 'A calibration due within so many days, today included, is due soon.',
  tolerance_percent: 'Of the reference mass. Two lines of one axle agree within this or the kilograms, if more.',
  tolerance_kg: 'Whichever of the two is larger counts.',
} as const;

export default function ChangePolicy({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, answer, meanwhile } = useOpenedForm('policy', loaderData, actionData);
  const values: Words = { ...opened.values, ...answer?.values };
  const errors: Words = answer?.errors ?? {};
  const theirs: Words = answer?.theirs ?? {};
  const form = useFocusOnError(answer);
  return (
    <main id="main" className="max-w-190">
      <h1 className="pb-3 text-xl">Policy</h1>
      <p className="pb-5 text-ink-2">
        {`Version ${values.version ?? ''} is in force. A change is a new version: every verdict is worked out by it from that moment on, and anyone can see in the public log which one held when.`}
      </p>
      <FormNotes answer={answer} meanwhile={meanwhile} />
      <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4" noValidate>
        <input type="hidden" name="form_key" value={opened.formKey} />
        <input type="hidden" name="version" value={values.version} />
        <div className="grid gap-5 sm:grid-cols-2">
          {POLICY_FIELDS.map(({ field, label }) => (
            <TextField
              key={field}
              name={field}
              label={label}
              hint={HINTS[field]}
              inputMode={field === 'tolerance_percent' ? 'decimal' : 'numeric'}
              autoComplete="off"
              maxLength={12}
              required
              defaultValue={values[field]}
              error={errors[field] ?? theirs[field]}
            />
          ))}
        </div>
        <TextField
          name="reason"
          label="Reason (optional)"
          hint="Kept in the activity log. Not public."
          maxLength={500}
          defaultValue={values.reason}
          error={errors.reason}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>Save</SubmitButton>
          <Link to="/settings" className="button-look button-secondary">
            Cancel
          </Link>
        </div>
      </Form>
    </main>
  );
}
