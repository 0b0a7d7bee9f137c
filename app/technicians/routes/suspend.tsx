// /technicians/suspend/{id}: an admin suspends a technician from a day on.
import { redirect } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { ReasonField } from '#app/forms/reason-field.tsx';
import { parseEmailKey } from '#app/people/email.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { TextField } from '#app/ui/field.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import {
  refuseDecision,
  requireLiveTechnician,
  goodStandingPage,
  todayOf,
  viewOf,
} from '../good-standing-action.server.ts';
import { GoodStandingForm } from '../good-standing-form.tsx';
import { suspendSchema } from '../good-standing-entry.ts';
import { suspendTechnician } from '../suspend-technician.server.ts';
import type { Route } from './+types/suspend';

export const meta = titled('Suspend a technician');

export async function loader({ params, context }: Route.LoaderArgs) {
  const technician = await requireLiveTechnician(context, params.id);
  if (technician.suspendedFrom !== null) throw redirect(viewOf(technician));
  return { ...goodStandingPage(technician), today: todayOf(context) };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.suspension,
    schema: suspendSchema(todayOf(args.context)),
    async write({ input, key }) {
      const email = parseEmailKey(args.params.id) ?? '';
      const services = args.context.get(servicesContext);
      const answer = await suspendTechnician(services, requireSignedIn(args.context), { email, ...input, key });
      if (answer.decided) return { goTo: { flash: 'technician-suspended', to: viewOf({ email }) } };
      if (answer.reason !== 'suspended') return refuseDecision(answer);
      const { by, from } = answer.suspension;
      return refused(409, {
        code: 'suspended-already',
        sentence: `${by} suspended this technician from ${formatDay(from)}. Lift that suspension first.`,
      });
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.suspension);

export default function SuspendTechnician({ loaderData: { name, today, ...page }, actionData }: Route.ComponentProps) {
  return (
    <GoodStandingForm
      {...page}
      title={`Suspend ${name}`}
      consequence="They can still sign in and record. Their visits wait for an administrator. What counted before stays as it is."
      answer={actionData}
      submit={<SubmitButton look="danger">Suspend</SubmitButton>}
    >
      <TextField
        name="from"
        label="Suspended from"
        hint="The first day. At most 30 days ago."
        type="date"
        required
        defaultValue={actionData?.values.from ?? today}
      />
      <ReasonField hint="For administrators only." />
    </GoodStandingForm>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
