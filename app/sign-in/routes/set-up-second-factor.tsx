// /settings/second-factor. Three steps: begin (password), confirm (QR code and a first code), recovery codes, shown
// once.
import { Link, useSearchParams } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { qrStrokes } from '#app/platform/paper/qr.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { PasswordField, TextField } from '#app/ui/field.tsx';
import { Note } from '#app/ui/note.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { QrCode } from '#app/ui/qr-code.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { titled } from '#app/ui/page-title.ts';
import { secondFactorSchema } from '../sign-in-entry.ts';
import { CodeField } from '../code-field.tsx';
import { returnPath } from '../return-path.ts';
import { refusalOf } from '../sign-in-action.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../second-factor.server.ts';
import { needsSecondFactor } from '#app/access/guard.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import type { Route } from './+types/set-up-second-factor';

export const meta = titled('Second factor');

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const who = requireSignedIn(context);
  const uri = who.hasSecondFactor ? null : await pendingSecondFactor(services, who.personId);
  return {
    isOn: who.hasSecondFactor,
    isRequired: needsSecondFactor(services.config, who.role),
    pending: uri === null ? null : { qr: qrStrokes(uri), secret: new URL(uri).searchParams.get('secret') ?? '' },
  };
}

type Shown = { recoveryCodes: string[] };

export function action(args: Route.ActionArgs) {
  const { request, context } = args;
  const services = context.get(servicesContext);
  return submitForm<typeof secondFactorSchema.shape, Shown>(args, {
    failure: FAILURES.secondFactor,
    schema: secondFactorSchema,
    async write({ input: { intent, password, code } }) {
      const who = requireSignedIn(context);
      const visitor = visitorOf(request, context);
      switch (intent) {
        case 'begin': {
          const answer = await beginSecondFactor(services, who, { visitor, password });
          if (!answer.done) return refusalOf(answer);
          return { goTo: { to: '/settings/second-factor' }, setCookies: answer.setCookies };
        }
        case 'confirm': {
          const answer = await confirmSecondFactor(services, who, { visitor, code });
          if (!answer.done) return refusalOf(answer);
          return { shown: true, more: { recoveryCodes: answer.recoveryCodes }, setCookies: answer.setCookies };
        }
        case 'renew': {
          const answer = await renewRecoveryCodes(services, who, { visitor, proof: { password, code } });
          return answer.done ? { shown: true, more: { recoveryCodes: answer.recoveryCodes } } : refusalOf(answer);
        }
        case 'remove': {
          const answer = await removeSecondFactor(services, who, { visitor, proof: { password, code } });
          if (!answer.done) return refusalOf(answer);
          return { goTo: { flash: 'second-factor-removed', to: '/settings' }, setCookies: answer.setCookies };
        }
        case undefined:
          return refused(400, { errors: { code: 'Use one of the buttons on this page.' } });
      }
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.secondFactor);

export default function SetUpSecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { isOn, isRequired, pending } = loaderData;
  const recoveryCodes = actionData?.more?.recoveryCodes;
  const [query] = useSearchParams();
  const to = isOn ? query.get('to') : null;
  return (
    <main id="main" className="grid max-w-140 gap-5">
      <h1 className="text-xl">Second factor</h1>
      {isRequired && !isOn ? (
        <Note kind="info">This registry requires a second factor of every admin. Set it up to continue.</Note>
      ) : null}
      <FormNotes answer={actionData} />
      {recoveryCodes === undefined ? null : <RecoveryCodes codes={recoveryCodes} />}
      {isOn ? (
        <AnswerForm answer={actionData} className="card grid gap-5 p-6 max-row:p-4" noValidate={false}>
          <p>On: you sign in with your password and a code from your authenticator app.</p>
          <PasswordField name="password" label="Current password" autoComplete="current-password" required />
          <CodeField />
          <div className="flex flex-wrap gap-3">
            <SubmitButton name="intent" value="renew" look="secondary">
              Make new recovery codes
            </SubmitButton>
            {isRequired ? null : (
              <SubmitButton name="intent" value="remove" look="danger">
                Remove the second factor
              </SubmitButton>
            )}
          </div>
        </AnswerForm>
      ) : null}
      {isOn || pending !== null ? null : (
        <AnswerForm answer={actionData} className="card grid gap-5 p-6 max-row:p-4" noValidate={false}>
          <p>With a second factor, your password alone is not enough to sign in. You need an authenticator app.</p>
          <PasswordField name="password" label="Current password" autoComplete="current-password" required />
          <SubmitButton name="intent" value="begin">
            Begin
          </SubmitButton>
        </AnswerForm>
      )}
      {isOn || pending === null ? null : (
        <AnswerForm answer={actionData} className="card grid gap-5 p-6 max-row:p-4" noValidate={false}>
          <p>Scan this with your authenticator app, then enter the code that it shows.</p>
          <QrCode qr={pending.qr} label="QR code for the authenticator app" className="size-48" />
          <p className="text-sm">
            Or type the key: <span className="font-mono break-all">{pending.secret.replaceAll(/(.{4})/g, '$1 ')}</span>
          </p>
          <TextField
            name="code"
            label="Code"
            hint="Six digits."
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            required
            defaultValue=""
          />
          <SubmitButton name="intent" value="confirm">
            Confirm
          </SubmitButton>
        </AnswerForm>
      )}
      <p>
        <Link to={to === null ? '/settings' : returnPath(to)} className="inline-flex min-h-11 items-center">
          {to === null ? 'Back to settings' : 'Go on'}
        </Link>
      </p>
    </main>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section className="card p-6 max-row:p-4" aria-labelledby="recovery">
      <h2 id="recovery" className="text-lg">
        Recovery codes
      </h2>
      <p className="py-3">
        Use one to sign in if you lose your phone. Each works once. They are shown only now: print them or write them
        down.
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </section>
  );
}
