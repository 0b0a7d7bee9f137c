// /technicians/licence/{id}: an admin records until when a technician's trade licence is valid.
import { Form, Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { parseEmailKey } from '#app/people/email.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { recordLicenceEnd } from '../record-licence-end.server.ts';
import { refuseDecision, requireTechnician, viewOf } from '../standing-action.server.ts';
import { licenceSchema } from '../standing-entry.ts';
import type { Route } from './+types/licence';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Trade licence · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const technician = await requireTechnician(context, params.id);
  const { repName, companyName, email, tradeLicenceNum, licenceEndsOn } = technician;
  return {
    idempotencyKey: newIdempotencyKey(),
    name: repName || companyName || email,
    back: viewOf(technician),
    tradeLicenceNum,
    endsOn: licenceEndsOn ?? '',
  };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.licence,
    schema: licenceSchema,
    async write({ input, key }) {
      const email = parseEmailKey(args.params.id) ?? '';
      const services = args.context.get(servicesContext);
      const answer = await recordLicenceEnd(services, requireSignedIn(args.context), email, input.ends_on, key);
      return answer.decided ? { goTo: { flash: 'licence-recorded', to: viewOf({ email }) } } : refuseDecision(answer);
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.licence);

export default function TradeLicence({
  loaderData: { idempotencyKey, name, back, tradeLicenceNum, endsOn },
  actionData,
}: Route.ComponentProps) {
  const form = useFocusOnError(actionData);
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl wrap-anywhere">{`Trade licence of ${name}`}</h1>
      <FormNotes answer={actionData} />
      <p className="pb-5 wrap-anywhere text-ink-2">
        {`Number: ${tradeLicenceNum === '' ? 'N/A' : tradeLicenceNum}. Visits after the last day wait for an administrator.`}
      </p>
      <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4" noValidate>
        <input type="hidden" name="form_key" value={idempotencyKey} />
        <TextField
          name="ends_on"
          label="Trade licence valid until"
          hint="The last day. Optional: nothing is checked without it."
          type="date"
          defaultValue={actionData?.values.ends_on ?? endsOn}
          error={actionData?.errors.ends_on}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>Save</SubmitButton>
          <Link to={back} className="button-look button-secondary">
            Cancel
          </Link>
        </div>
      </Form>
    </main>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
