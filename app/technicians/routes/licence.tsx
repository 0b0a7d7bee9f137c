// /technicians/licence/{id}: an admin records until when a technician's trade licence is valid.
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { parseEmailKey } from '#app/people/email.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { TextField } from '#app/ui/field.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { recordLicenceEnd } from '../record-licence-end.server.ts';
import { refuseDecision, requireLiveTechnician, goodStandingPage, viewOf } from '../good-standing-action.server.ts';
import { licenceSchema } from '../good-standing-entry.ts';
import { GoodStandingForm } from '../good-standing-form.tsx';
import type { Route } from './+types/licence';

export const meta = titled('Trade licence');

export async function loader({ params, context }: Route.LoaderArgs) {
  const technician = await requireLiveTechnician(context, params.id);
  const { tradeLicenceNum, licenceEndsOn } = technician;
  return { ...goodStandingPage(technician), tradeLicenceNum, endsOn: licenceEndsOn ?? '' };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.licence,
    schema: licenceSchema,
    async write({ input, key }) {
      const email = parseEmailKey(args.params.id) ?? '';
      const services = args.context.get(servicesContext);
      const answer = await recordLicenceEnd(services, requireSignedIn(args.context), {
        email,
        endsOn: input.ends_on,
        key,
      });
      return answer.decided ? { goTo: { flash: 'licence-recorded', to: viewOf({ email }) } } : refuseDecision(answer);
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.licence);

export default function TradeLicence({
  loaderData: { name, tradeLicenceNum, endsOn, ...page },
  actionData,
}: Route.ComponentProps) {
  return (
    <GoodStandingForm
      {...page}
      title={`Trade licence of ${name}`}
      consequence={`Number: ${tradeLicenceNum === '' ? 'N/A' : tradeLicenceNum}. Visits after the last day wait for an administrator.`}
      answer={actionData}
      submit={<SubmitButton>Save</SubmitButton>}
    >
      <TextField
        name="ends_on"
        label="Trade licence valid until"
        hint="The last day. Optional: nothing is checked without it."
        type="date"
        defaultValue={actionData?.values.ends_on ?? endsOn}
      />
    </GoodStandingForm>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
