// /vehicles/follow/{rego}: the public form to get emails about a vehicle.
import { href, redirect } from 'react-router';
import { z } from 'zod';
import { AccountPage } from '#app/shell/account-page.tsx';
import { visitorOf } from '#app/access/visitor.server.ts';
import { email } from '#app/people/email.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { EmailField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { movedStatus, regoOfForm } from '#app/vehicles/missing-vehicle.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { answerAsked, askToFollow } from '../ask-to-follow.server.ts';
import { MailSent } from '../mail-sent.tsx';
import type { Route } from './+types/follow';

export function meta({ params, matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [
    { title: `Follow ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'robots', content: 'noindex' },
  ];
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const rego = await regoOfForm(db, params.rego);
  if (rego !== params.rego) throw redirect(href('/vehicles/follow/:rego', { rego }), movedStatus(params.rego, rego));
  const found = await findVehicle(db, rego);
  // The vehicle's own page says that it is unknown, or when it was removed.
  if (found.state !== 'live') throw redirect(href('/vehicles/view/:rego', { rego }));
  return { rego, sent: url.searchParams.has('sent') };
}

const followSchema = z.object({ email });

export async function action(args: Route.ActionArgs) {
  const { request, params, context } = args;
  const rego = await regoOfForm(context.get(servicesContext).db, params.rego);
  return submitForm(args, {
    failure: PUBLIC_FAILURES.follow,
    nothing: 'Nothing was sent.',
    schema: followSchema,
    async write({ input }) {
      const services = context.get(servicesContext);
      const found = await findVehicle(services.db, rego);
      if (found.state !== 'live') return { goTo: { to: href('/vehicles/view/:rego', { rego }) } };
      const { address } = visitorOf(request, context);
      const asked = await askToFollow(services, address, { email: input.email, vehicleId: found.vehicle.id });
      return answerAsked(asked, `${href('/vehicles/follow/:rego', { rego })}?sent`);
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.follow);

export default function Follow({ loaderData: { rego, sent }, actionData }: Route.ComponentProps) {
  if (sent && actionData === undefined)
    return (
      <AccountPage title={`Follow ${rego}`}>
        <MailSent back={href('/vehicles/view/:rego', { rego })} label={`Back to ${rego}`} />
      </AccountPage>
    );
  return (
    <AccountPage title={`Follow ${rego}`} note={<FormNotes answer={actionData} />}>
      <AnswerForm
        answer={actionData}
        action={href('/vehicles/follow/:rego', { rego })}
        className="grid grid-cols-1 gap-5"
      >
        <p>
          {`We email you 30 and 14 days before the calibration of ${rego} is due, on the day, and when its verdict changes.`}
        </p>
        <EmailField
          hint="We use it for nothing else and show it to nobody. Each email has a link that stops the emails and deletes your address."
          required
        />
        <SubmitButton wide>Send me the link</SubmitButton>
        <TextLink to={href('/vehicles/view/:rego', { rego })}>{`Back to ${rego}`}</TextLink>
      </AnswerForm>
    </AccountPage>
  );
}
