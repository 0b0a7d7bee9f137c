// /tech-register: the public form to apply as a calibration technician.
import { Link } from 'react-router';
import { visitorOf } from '#app/access/visitor.server.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { retryIn } from '#app/platform/database/rate-limit.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { PlainHeader } from '#app/shell/site-header.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { useSite } from '#app/ui/site.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { titled } from '#app/ui/page-title.ts';
import { applicationSchema, type ApplicationField } from '../application.ts';
import { requestRegistration } from '../request-registration.server.ts';
import type { Route } from './+types/tech-register';

export const meta = titled('Tech Register', {
  description: 'Apply to be listed as a calibration technician of on-board truck scales.',
});

export const loader = () => ({ idempotencyKey: newIdempotencyKey() });

export function action(args: Route.ActionArgs) {
  const { request, context } = args;
  return submitForm(args, {
    failure: PUBLIC_FAILURES.techRegister,
    nothing: 'Nothing was sent.',
    schema: applicationSchema,
    async write({ input, key }) {
      const { address } = visitorOf(request, context);
      const answer = await requestRegistration(context.get(servicesContext), address, { input, key });
      // The same whether or not the address is known: a mail says which to anybody who reads it.
      if (answer.requested || answer.reason !== 'too-many-requests')
        return { saved: { flash: 'registration-requested', to: '/' } };
      return refused(429, {
        code: 'too-many-requests',
        sentence: `Try again ${retryIn(answer.retryAfterSeconds)}.`,
        retryAfterSeconds: answer.retryAfterSeconds,
      });
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.techRegister);

export default function TechRegister({ loaderData: { idempotencyKey }, actionData }: Route.ComponentProps) {
  const { registryName } = useSite();
  const text = (name: ApplicationField, label: string, more: Partial<Parameters<typeof TextField>[0]> = {}) => (
    <TextField name={name} label={label} maxLength={200} {...more} />
  );
  return (
    <>
      <PlainHeader name={registryName} line />
      <main id="main" className="page pt-8">
        <div className="mx-auto max-w-180">
          <h1 className="text-2xl">Tech Register</h1>
          <p className="max-w-130 pt-3 pb-5 text-ink-2">
            Apply to be listed as a calibration technician. An administrator checks each application before creating an
            account.
          </p>
          <FormNotes answer={actionData} />
          <AnswerForm
            answer={actionData}
            idempotencyKey={idempotencyKey}
            className="card grid gap-5 p-6 max-row:p-4 sm:grid-cols-2"
          >
            <div className="sm:col-span-2">
              {text('company_name', 'Company name', { required: true, autoComplete: 'organization' })}
            </div>
            {text('abn', 'ABN', { hint: '11 digits', required: true, maxLength: 40, autoComplete: 'off' })}
            {text('trade_licence_num', 'Trade licence number', {
              hint: 'As printed on the licence',
              required: true,
              maxLength: 100,
              autoComplete: 'off',
            })}
            <div className="sm:col-span-2">{text('address', 'Full address (optional)', { maxLength: 500 })}</div>
            <div className="sm:col-span-2">
              {text('email', 'Email', {
                hint: 'You will sign in with it.',
                type: 'email',
                required: true,
                maxLength: 254,
                autoComplete: 'email',
              })}
            </div>
            {text('rep_name', 'Representative name (optional)', { autoComplete: 'name' })}
            {text('rep_contact', 'Representative contact (optional)', { autoComplete: 'tel' })}
            <div className="flex flex-wrap items-center gap-x-6 gap-y-2 sm:col-span-2">
              <SubmitButton busyText="Sending...">Register</SubmitButton>
              <Link to="/" className="inline-flex min-h-11 items-center font-semibold">
                Back to Homepage
              </Link>
            </div>
            <NotSavedBar />
          </AnswerForm>
        </div>
      </main>
    </>
  );
}
