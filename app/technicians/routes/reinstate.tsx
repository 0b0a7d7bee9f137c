// /technicians/reinstate/{id}: an admin lifts a technician's suspension from a day on.
import { redirect } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { parseEmailKey } from '#app/people/email.ts';
import { suspensionWords } from '#app/people/good-standing.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { TextField } from '#app/ui/field.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { listSuspensions } from '../queries.server.ts';
import {
  refuseDecision,
  requireLiveTechnician,
  goodStandingPage,
  todayOf,
  viewOf,
} from '../good-standing-action.server.ts';
import { reinstateSchema } from '../good-standing-entry.ts';
import { reinstateTechnician } from '../suspend-technician.server.ts';
import { GoodStandingForm } from '../good-standing-form.tsx';
import type { Route } from './+types/reinstate';

export const meta = titled('Lift a suspension');

export async function loader({ params, context }: Route.LoaderArgs) {
  const technician = await requireLiveTechnician(context, params.id);
  const suspensions = await listSuspensions(context.get(servicesContext).db, technician.id);
  const open = suspensions.find(({ to }) => to === null);
  if (open === undefined) throw redirect(viewOf(technician));
  const today = todayOf(context);
  return {
    ...goodStandingPage(technician),
    suspension: open.id,
    words: suspensionWords(open),
    from: open.from > today ? open.from : today,
  };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.reinstatement,
    schema: reinstateSchema(todayOf(args.context)),
    async write({ input, key }) {
      const email = parseEmailKey(args.params.id) ?? '';
      const services = args.context.get(servicesContext);
      const answer = await reinstateTechnician(services, requireSignedIn(args.context), { email, ...input, key });
      if (answer.decided) return { goTo: { flash: 'suspension-lifted', to: viewOf({ email }) } };
      if (answer.reason === 'lifted')
        return refused(409, {
          code: 'lifted-already',
          sentence: answer.by === null ? 'This suspension is not in force.' : `${answer.by} lifted this suspension.`,
        });
      if (answer.reason === 'too-early')
        return refused(400, {
          errors: {
            from: `The suspension begins on ${formatDay(answer.suspendedFrom)}. Enter that day or a later one.`,
          },
        });
      return refuseDecision(answer);
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.reinstatement);

export default function ReinstateTechnician({
  loaderData: { name, suspension, words, from, ...page },
  actionData,
}: Route.ComponentProps) {
  return (
    <GoodStandingForm
      {...page}
      title={`Lift the suspension of ${name}`}
      consequence={`${words}. Visits that wait already are still decided one by one. The record of the suspension stays.`}
      answer={actionData}
      submit={<SubmitButton>Lift the suspension</SubmitButton>}
    >
      <input type="hidden" name="suspension" value={actionData?.values.suspension ?? suspension} />
      <TextField
        name="from"
        label="In good standing from"
        hint="The first day without the suspension. Its own first day: as if it had never been."
        type="date"
        required
        defaultValue={actionData?.values.from ?? from}
      />
    </GoodStandingForm>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
