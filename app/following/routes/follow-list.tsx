// /check/follow: asks for emails about a list of trucks. The page of many trucks opens it with its list.
import { z } from 'zod';
import { visitorOf } from '#app/access/visitor.server.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { submitReadForm } from '#app/forms/submit-form.server.ts';
import { refuseLines } from '#app/check-list/line-limit.server.ts';
import { email } from '#app/people/email.ts';
import { readForm } from '#app/platform/http/read-form.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { EmailField, TextAreaField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { answerAsked, askToFollow } from '../ask-to-follow.server.ts';
import { readNames } from '../followed-trucks.server.ts';
import { MailSent } from '../mail-sent.tsx';
import type { Route } from './+types/follow-list';

export const meta = titled('Follow a list', { robots: 'noindex' });

export const loader = ({ url }: Route.LoaderArgs) => ({ sent: url.searchParams.has('sent') });

const addressSchema = z.object({ email });

/** Without an email address it is the list that the other page hands over. */
type Input = { names: string; email: string | undefined; list: string };

export function action(args: Route.ActionArgs) {
  const { request, context } = args;
  return submitReadForm<Input, 'list' | 'email', { list: string }>(args, {
    failure: PUBLIC_FAILURES.follow,
    nothing: 'Nothing was sent.',
    async read({ fields, all }) {
      // The office's list sends the regos that are ticked.
      const list = fields.get('list') ?? (all.get('rego') ?? []).join('\n');
      const isOpening = !fields.has('email');
      const address = readForm(addressSchema, fields);
      const read = await readNames(list);
      const values = { list, ...address.values };
      const addressErrors = address.ok || isOpening ? {} : address.errors;
      if (!read.ok) return { ok: false, values, errors: { ...addressErrors, list: read.message } };
      if (Object.keys(addressErrors).length > 0) return { ok: false, values, errors: addressErrors };
      const { names } = read;
      return { ok: true, values, input: { names, email: address.ok ? address.input.email : undefined, list } };
    },
    async write({ input: { names: list, email: address, list: given } }) {
      if (address === undefined) return { shown: true, more: { list: given } };
      const services = context.get(servicesContext);
      const { address: client } = visitorOf(request, context);
      const tooMany = await refuseLines(services, client, list.split('\n').length);
      if (tooMany !== undefined) return tooMany;
      return answerAsked(await askToFollow(services, client, { email: address, list }), '/check/follow?sent');
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.follow);

export default function Follow({ loaderData: { sent }, actionData }: Route.ComponentProps) {
  if (sent && actionData === undefined)
    return (
      <AccountPage title="Follow a list">
        <MailSent back="/check" label="Check another list" />
      </AccountPage>
    );
  return (
    <AccountPage title="Follow a list" note={<FormNotes answer={actionData} />}>
      <AnswerForm
        answer={actionData}
        action="/check/follow"
        encType="multipart/form-data"
        className="grid grid-cols-1 gap-5"
      >
        <p>
          We email you once a day when something changes on the list, and 30 and 14 days before a calibration on it is
          due. On other days we send nothing.
        </p>
        <EmailField
          hint="We use it for nothing else and show it to nobody. Each email has a link to change the list, or to stop the emails and delete your address and the list."
          required
        />
        <TextAreaField
          name="list"
          label="Regos or VINs"
          hint="One a line, up to 10,000. We keep the list as long as you follow it."
          rows={8}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="characters"
          defaultValue={actionData?.more?.list}
        />
        <SubmitButton wide>Send me the link</SubmitButton>
      </AnswerForm>
    </AccountPage>
  );
}
