// /vehicles/follow/{rego}: anybody asks to hear of a vehicle by email.
import { MailCheck } from 'lucide-react';
import { data, Form, href, Link, redirect } from 'react-router';
import { AccountPage } from '#app/account/account-page.tsx';
import { visitorOf } from '#app/account/visitor.server.ts';
import { fieldsOf, readForm } from '#app/platform/form.server.ts';
import { retryIn } from '#app/platform/rate-limit.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/keep-typed.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { askToFollow } from '../ask-to-follow.server.ts';
import { followSchema } from '../follower-entry.ts';
import type { Route } from './+types/follow';

export function meta({ params, matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [
    { title: `Follow ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'robots', content: 'noindex' },
  ];
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const parsed = parseRego(params.rego);
  if (!parsed.ok) throw data(null, { status: 404, statusText: 'Not Found' });
  const { rego } = parsed;
  if (rego !== params.rego) throw redirect(href('/vehicles/follow/:rego', { rego }), 301);
  const found = await findVehicle(context.get(services).db, rego);
  // The vehicle's own page says that it is unknown, or when it was removed.
  if (found.state !== 'live') throw redirect(href('/vehicles/view/:rego', { rego }));
  return { rego, sent: url.searchParams.has('sent') };
}

const FAILURE = 'Error following:';

export async function action({ request, params, context }: Route.ActionArgs) {
  const parsed = parseRego(params.rego);
  if (!parsed.ok) throw data(null, { status: 404, statusText: 'Not Found' });
  const { rego } = parsed;
  const form = readForm(followSchema, await fieldsOf(request));
  if (!form.ok) return data<FormAnswer<'email'>>({ values: form.values, errors: form.errors }, { status: 400 });
  const refuse = (status: number, cause: string, headers: HeadersInit = {}) =>
    data<FormAnswer<'email'>>({ values: form.values, errors: {}, failure: `${FAILURE} ${cause}` }, { status, headers });
  const given = context.get(services);
  try {
    const answer = await askToFollow(given, visitorOf(request, context).address, rego, form.input.email);
    if (answer.asked) return redirect(`${href('/vehicles/follow/:rego', { rego })}?sent`, 303);
    if (answer.reason !== 'too-many-requests') return redirect(href('/vehicles/view/:rego', { rego }), 303);
    const again = retryIn(answer.retryAfterSeconds);
    return refuse(429, `too-many-requests. Too many were asked for from here. Try again ${again}.`, {
      'retry-after': String(answer.retryAfterSeconds),
    });
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'following could not be asked for');
    return refuse(503, 'registry-unavailable. Nothing was sent. Try again in a moment.');
  }
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURE);

export default function Follow({ loaderData: { rego, sent }, actionData }: Route.ComponentProps) {
  const form = useFocusOnError(actionData?.errors);
  const page = href('/vehicles/view/:rego', { rego });
  if (sent && actionData === undefined)
    return (
      <AccountPage title={`Follow ${rego}`}>
        <div className="grid gap-5" role="status">
          <MailCheck size={44} aria-hidden="true" />
          <p>We have written to the address. Open the link in the mail to confirm it; until then nothing is sent.</p>
          <p className="text-sm text-ink-2">It comes within a few minutes. Look into the junk folder too.</p>
          <BackToVehicle page={page} rego={rego} />
        </div>
      </AccountPage>
    );
  return (
    <AccountPage title={`Follow ${rego}`} note={<FormNotes answer={actionData} />}>
      <Form
        ref={form}
        method="post"
        action={href('/vehicles/follow/:rego', { rego })}
        className="grid gap-5"
        noValidate
      >
        <p>
          {`You get a mail 30 and 14 days before the calibration of ${rego} is due, on the day, and when its verdict changes.`}
        </p>
        <TextField
          name="email"
          label="Email"
          hint="Used for nothing else, and shown to nobody. Each mail has a link by which you leave and the address is erased."
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          defaultValue={actionData?.values.email}
          error={actionData?.errors.email}
        />
        <SubmitButton wide>Send me the link</SubmitButton>
        <BackToVehicle page={page} rego={rego} />
      </Form>
    </AccountPage>
  );
}

function BackToVehicle({ page, rego }: { page: string; rego: string }) {
  return (
    <Link to={page} className="inline-flex min-h-11 items-center font-semibold no-underline">
      {`Back to ${rego}`}
    </Link>
  );
}
