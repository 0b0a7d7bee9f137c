// /reports/mine: asks for a mail with a link; /reports/mine/{token}: all reports of that address, for an hour.
import { sql } from 'kysely';
import { data, href, Link } from 'react-router';
import { z } from 'zod';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { NO_FIELDS, refused, submitForm } from '#app/forms/submit-form.server.ts';
import { email } from '#app/people/email.ts';
import { eraseReporter } from '#app/people/erase-reporter.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { DeadLink } from '#app/shell/dead-link.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { EmailField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { addStep } from '../add-step.server.ts';
import { reportsOfAddress } from '../lists.server.ts';
import { findLink } from '../queries.server.ts';
import { refuseTry } from '../report-action.server.ts';
import { REFUSALS } from '../report.ts';
import type { Route } from './+types/mine';

export const meta = titled('Your reports', { robots: 'noindex' });

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  if (token === undefined) return data({ reports: [], token });
  const link = await findLink(services.db, token, { now: services.now() });
  if (link?.email == null) return data({ reports: null, token }, 410);
  return data({ reports: await reportsOfAddress(services, link.email), token });
}

export function action(args: Route.ActionArgs) {
  const services = args.context.get(servicesContext);
  const { db, now } = services;
  const { token } = args.params;
  const form = { failure: PUBLIC_FAILURES.report, nothing: 'Nothing was done.' };
  if (token === undefined)
    return submitForm(args, {
      ...form,
      schema: z.object({ email }),
      async write({ input }) {
        const tooMany = await refuseTry(args, input.email);
        if (tooMany !== undefined) return tooMany;
        // The same answer for an address that sent none.
        const any = await db.selectFrom('wrongReport').select('id').where('email', '=', input.email).executeTakeFirst();
        if (any !== undefined) await queueMail(db, { kind: 'reports-mine', recipient: input.email, facts: {} });
        return { goTo: { to: href('/reports/mine'), flash: 'reports-mailed' } };
      },
    });
  return submitForm(args, {
    ...form,
    schema: NO_FIELDS,
    async write() {
      const address = (await findLink(db, token, { now: now() }))?.email;
      if (address == null) return refused<never>(410, { code: 'link-used', sentence: REFUSALS.unknown });
      // Nobody is left who could hear of a decision.
      const back = { step: 'taken-back', words: '', files: [], key: undefined } as const;
      for (const { id } of await reportsOfAddress(services, address))
        await addStep(services, { as: 'reporter', byMail: true }, { id, ...back });
      await db.transaction().execute((tx) => eraseReporter(tx, sql`email = ${address}`));
      return { goTo: { to: href('/reports/mine'), flash: 'person-erased' } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.report);

export default function Mine({ loaderData: { reports, token }, actionData }: Route.ComponentProps) {
  if (reports === null)
    return <DeadLink why="It lasts one hour." to={href('/reports/mine')} label="Send me another link" />;
  return (
    <AccountPage title="Your reports" note={<FormNotes answer={actionData} />}>
      <ul className="divide-y divide-line">
        {reports.map(({ id, number, name, kind, state, due, on }) => (
          <li key={id} className="py-3">
            <Link
              to={`${href('/reports/r/:token', { token: token ?? '' })}?report=${id}`}
              className="inline-flex min-h-11 items-center font-semibold"
            >
              {number}
            </Link>
            <p>{`${name}: ${kind}`}</p>
            <p className="text-sm text-ink-2">{due === '' ? state : `${state} · ${due}, ${on}`}</p>
          </li>
        ))}
      </ul>
      <AnswerForm answer={actionData} className="grid grid-cols-1 gap-5">
        <p>
          {token === undefined
            ? 'We email you a link that shows all reports from your address for one hour.'
            : 'Open reports are taken back, and your address, words and files erased.'}
        </p>
        {token === undefined ? <EmailField /> : null}
        <SubmitButton wide>{token === undefined ? 'Send me the link' : 'Erase what you keep of me'}</SubmitButton>
      </AnswerForm>
    </AccountPage>
  );
}
