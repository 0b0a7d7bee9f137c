// /vehicles/validate/{rego}: an admin validates a calibration, or withdraws the validation. The vehicle's page posts
// here with one click. This page appears if scripts are off and the form was refused, or after the admin had to sign in
// again.
import { Form, redirect } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { optionalReason } from '#app/forms/text-fields.ts';
import { REASON_MAX } from '#app/forms/text-limits.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { useSaved } from '#app/ui/use-saved.ts';
import { decideValidation } from '../decide-validation.server.ts';
import { regoOfForm } from '../missing-vehicle.server.ts';
import { findVehicle } from '../queries.server.ts';
import type { Route } from './+types/validate';

const decisionSchema = z.object({
  validated: z
    .string()
    .default('')
    .transform((word) => word === 'yes'),
  reason: optionalReason,
});

export function meta({ matches, params }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Validate ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const rego = await regoOfForm(db, params.rego);
  const found = await findVehicle(db, rego);
  if (found.state !== 'live') throw redirect(`/vehicles/view/${rego}`);
  return { idempotencyKey: newIdempotencyKey(), rego, validated: found.vehicle.calibrationValidated };
}

export async function action(args: Route.ActionArgs) {
  const rego = await regoOfForm(args.context.get(servicesContext).db, args.params.rego);
  return submitForm(args, {
    failure: FAILURES.validation,
    schema: decisionSchema,
    async write({ input, key }) {
      const { db } = args.context.get(servicesContext);
      const { decided } = await decideValidation(db, requireSignedIn(args.context), { rego, ...input, key });
      const to = `/vehicles/view/${rego}`;
      // The vehicle is removed or unknown, and its page says so. Nothing was decided, so there is no flash message.
      if (!decided) return { goTo: { to } };
      return { saved: { flash: input.validated ? 'vehicle-validated' : 'validation-withdrawn', to } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.validation);

export default function DecideValidation({
  loaderData: { idempotencyKey, rego, validated },
  actionData,
}: Route.ComponentProps) {
  useSaved(actionData?.saved);
  // After a refusal the form sends the same decision again, even if the record has changed since.
  const decision = actionData?.values.validated ?? (validated ? 'no' : 'yes');
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl wrap-anywhere">
        {decision === 'yes' ? `Validate the calibration of ${rego}` : `Withdraw the validation of ${rego}`}
      </h1>
      <FormNotes answer={actionData} />
      <Form method="post" className="card grid gap-5 p-6 max-row:p-4">
        <input type="hidden" name="form_key" value={idempotencyKey} />
        <input type="hidden" name="validated" value={decision} />
        <TextField
          name="reason"
          label="Reason (optional)"
          maxLength={REASON_MAX}
          autoComplete="off"
          defaultValue={actionData?.values.reason}
          error={actionData?.errors.reason}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>{decision === 'yes' ? 'Validate' : 'Withdraw validation'}</SubmitButton>
          <ButtonLink to={`/vehicles/view/${rego}`}>Cancel</ButtonLink>
        </div>
      </Form>
    </main>
  );
}
