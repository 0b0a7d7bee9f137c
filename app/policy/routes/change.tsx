// /settings/policy: an admin makes a new version of the policy.
import { Subscription } from '#app/activity-log/subscription.tsx';
import { Form, Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refuseStale } from '#app/forms/refuse-stale.server.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { EditedFields } from '#app/ui/merged-edits.tsx';
import { NotSavedBar } from '#app/ui/not-saved-bar.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { useOpenedForm } from '#app/ui/use-opened-form.ts';
import { changePolicy } from '../change-policy.server.ts';
import { policySchema, type PolicyField } from '../policy-entry.ts';
import { POLICY_FIELDS, type Policy } from '../policy.ts';
import { listPolicies, policyAndLogSize } from '../queries.server.ts';
import type { Route } from './+types/change';

type Words = Partial<Record<PolicyField, string>>;

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Policy · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const { since, policy } = await policyAndLogSize(db);
  const [latest] = await listPolicies(db);
  return {
    since,
    idempotencyKey: newIdempotencyKey(),
    changedBy: latest?.by ?? 'somebody',
    values: { ...textsOf(policy), version: String(policy.version) },
  };
}

const textsOf = (policy: Policy): Record<string, string> =>
  Object.fromEntries(POLICY_FIELDS.map(({ field, of }) => [field, of(policy)]));

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.policy,
    nothing: 'Nothing was changed.',
    schema: policySchema,
    async write({ input, key, form }) {
      const { db } = args.context.get(servicesContext);
      const answer = await changePolicy(db, requireSignedIn(args.context), input, key);
      if (answer.changed) return { goTo: { flash: 'policy-changed', to: '/settings' } };
      if (answer.reason === 'same')
        return refused(400, { cause: 'nothing-changed. These values are already in force. Change one, or cancel.' });
      const [latest] = await listPolicies(db);
      const { now } = answer;
      const standing = {
        what: 'policy',
        version: now.version,
        by: latest?.by ?? 'Somebody',
        texts: textsOf(now),
      } as const;
      return refuseStale(policySchema, form, standing, 'Save');
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.policy);

const HINTS = {
  interval_days: 'The suggested due date is this many days after the calibration. At most 366.',
  due_soon_days: 'A calibration due within this many days, counting today, shows as due soon.',
  tolerance_percent:
    'Of the reference mass. Two calibrations agree if they differ by no more than this, or by no more than the kilograms.',
  tolerance_kg: 'The larger of the two limits applies.',
} as const;

export default function ChangePolicy({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, answer, meanwhile } = useOpenedForm(loaderData, actionData);
  const values: Words = { ...opened.values, ...answer?.values };
  const errors: Words = answer?.errors ?? {};
  const form = useFocusOnError(answer);
  return (
    <main id="main" className="max-w-190">
      <Subscription topics={['policy']} since={opened.since} whereOneTypes />
      <h1 className="pb-3 text-xl">Policy</h1>
      <p className="pb-5 text-ink-2">
        {`Version ${values.version ?? ''} is in force. Saving makes a new version, which applies to every verdict at once. The public log shows which version applied when.`}
      </p>
      <FormNotes answer={answer} meanwhile={meanwhile} />
      <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4" noValidate>
        <input type="hidden" name="form_key" value={opened.idempotencyKey} />
        <input type="hidden" name="version" value={values.version} />
        <EditedFields opened={opened.values} answer={answer}>
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
                error={errors[field]}
              />
            ))}
          </div>
        </EditedFields>
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
        <NotSavedBar answer={answer} />
      </Form>
    </main>
  );
}
