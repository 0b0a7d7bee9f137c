// /vehicles/validate/{rego}: an admin validates, or withdraws. The vehicle's page sends it with one click. The page here
// is for whoever has no scripts and was refused, or had to sign in again first.
import { data, Form, Link, redirect } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { newFormKey } from '#app/platform/database/form-key.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/keep-typed.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { decideValidation } from '../decide-validation.server.ts';
import { findVehicle } from '../queries.server.ts';
import { parseRego } from '../vehicle.ts';
import type { Route } from './+types/validate';

const REASON_MAX = 500;
const decisionSchema = z.object({
  validated: z
    .string()
    .default('')
    .transform((word) => word === 'yes'),
  reason: z
    .string()
    .default('')
    .transform((text) => text.normalize('NFC').trim().slice(0, REASON_MAX)),
});

export function meta({ matches, params }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Validate ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

function regoOf(params: Route.LoaderArgs['params']): string {
  const parsed = parseRego(params.rego);
  if (!parsed.ok) throw data(null, { status: 404, statusText: 'Not Found' });
  return parsed.rego;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const rego = regoOf(params);
  const found = await findVehicle(context.get(services).db, rego);
  if (found.state !== 'live') throw redirect(`/vehicles/view/${rego}`);
  return { formKey: newFormKey(), rego, validated: found.vehicle.calibrationValidated };
}

export function action(args: Route.ActionArgs) {
  const rego = regoOf(args.params);
  return submitForm(args, {
    failure: FAILURES.validation,
    schema: decisionSchema,
    async write({ input, formKey }) {
      const { db } = args.context.get(services);
      const { decided } = await decideValidation(db, requireSignedIn(args.context), rego, input, formKey);
      const to = `/vehicles/view/${rego}`;
      // One removed meanwhile says so itself: nothing was decided, so nothing is acknowledged.
      if (!decided) return redirect(to, 303);
      return { goTo: { notice: input.validated ? 'vehicle-validated' : 'validation-withdrawn', to } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.validation);

export default function DecideValidation({
  loaderData: { formKey, rego, validated },
  actionData,
}: Route.ComponentProps) {
  // What was refused is sent again as it was.
  const decision = actionData?.values.validated ?? (validated ? 'no' : 'yes');
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl wrap-anywhere">
        {decision === 'yes' ? `Validate the calibration of ${rego}` : `Withdraw the validation of ${rego}`}
      </h1>
      <FormNotes answer={actionData} />
      <Form method="post" className="card grid gap-5 p-6 max-row:p-4">
        <input type="hidden" name="form_key" value={formKey} />
        <input type="hidden" name="validated" value={decision} />
        <TextField
          name="reason"
          label="Reason (optional)"
          maxLength={REASON_MAX}
          autoComplete="off"
          defaultValue={actionData?.values.reason}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>{decision === 'yes' ? 'Validate' : 'Withdraw validation'}</SubmitButton>
          <Link to={`/vehicles/view/${rego}`} className="button-look button-secondary">
            Cancel
          </Link>
        </div>
      </Form>
    </main>
  );
}
