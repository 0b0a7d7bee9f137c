// /settings/second-factor: begin (password), confirm (QR code and a first code), then recovery codes, shown once.
import { data, Form, Link, redirect } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { qrPath } from '#app/platform/paper/qr.server.ts';
import { fieldsOf, readForm } from '#app/platform/http/form.server.ts';
import { carryNotice } from '#app/platform/http/notice-cookie.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { PasswordField, TextField, useFocusOnError } from '#app/ui/field.tsx';
import { Note } from '#app/ui/note.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { keepTyped } from '#app/ui/keep-typed.ts';
import { QrCode } from '#app/ui/qr-code.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { codeSchema } from '../sign-in-entry.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  type SecondFactorRefusal,
} from '../second-factor.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import type { Route } from './+types/set-up-second-factor';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Second factor · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const given = context.get(services);
  const who = requireSignedIn(context);
  const uri = who.hasSecondFactor ? null : await pendingSecondFactor(given, who.personId);
  return {
    isOn: who.hasSecondFactor,
    isRequired: given.config.requireAdmin2fa && who.role === 'admin',
    pending: uri === null ? null : { qr: qrPath(uri), secret: new URL(uri).searchParams.get('secret') ?? '' },
  };
}

type Field = 'password' | 'code';
type Answer = { error?: { field: Field; message: string }; recoveryCodes?: string[]; failure?: string };

export async function action({ request, context }: Route.ActionArgs) {
  const given = context.get(services);
  const who = requireSignedIn(context);
  const visitor = visitorOf(request, context);
  const form = await fieldsOf(request);
  const intent = form.get('intent');
  const password = String(form.get('password') ?? '').slice(0, 500);
  if (intent === 'begin') {
    const answer = await beginSecondFactor(given, who, visitor, password);
    if (!answer.done) return refuse(answer);
    return redirect('/settings/second-factor', { status: 303, headers: cookies(answer.setCookies) });
  }
  const read = readForm(codeSchema, form);
  if (!read.ok) return refuse({ field: 'code', message: read.errors.code ?? 'Enter the code.' });
  const { code } = read.input;
  if (intent === 'confirm') {
    const answer = await confirmSecondFactor(given, who, visitor, code);
    return answer.done ? reply({ recoveryCodes: answer.recoveryCodes }, answer.setCookies) : refuse(answer);
  }
  if (intent === 'renew') {
    const answer = await renewRecoveryCodes(given, who, visitor, { password, code });
    return answer.done ? reply({ recoveryCodes: answer.recoveryCodes }, []) : refuse(answer);
  }
  if (intent !== 'remove') return refuse({ field: 'code', message: 'Use one of the buttons on this page.' });
  const answer = await removeSecondFactor(given, who, visitor, { password, code });
  if (!answer.done) return refuse(answer);
  const headers = cookies(answer.setCookies);
  headers.append('set-cookie', carryNotice('second-factor-removed'));
  return redirect('/settings', { status: 303, headers });
}

function refuse({ field, message, retryAfterSeconds }: Omit<SecondFactorRefusal, 'done'>) {
  const init: ResponseInit =
    retryAfterSeconds === undefined
      ? { status: 400 }
      : { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } };
  return data<Answer>({ error: { field, message } }, init);
}
const reply = (answer: Answer, setCookies: string[]) => data<Answer>(answer, { headers: cookies(setCookies) });

function cookies(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) headers.append('set-cookie', line);
  return headers;
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepTyped(request, serverAction, ({ cause }): Answer => ({ failure: `${FAILURES.secondFactor} ${cause}` }));

export default function SetUpSecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { isOn, isRequired, pending } = loaderData;
  const form = useFocusOnError(actionData?.error);
  const error = (field: Field) => (actionData?.error?.field === field ? actionData.error.message : undefined);
  return (
    <main id="main" className="grid max-w-140 gap-5">
      <h1 className="text-xl">Second factor</h1>
      {isRequired && !isOn ? (
        <Note kind="info">This registry requires a second factor of every admin. Set it up to continue.</Note>
      ) : null}
      <FormNotes answer={actionData} />
      {actionData?.recoveryCodes === undefined ? null : <RecoveryCodes codes={actionData.recoveryCodes} />}
      {isOn ? (
        <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4">
          <p>On: you sign in with your password and a code from your authenticator app.</p>
          <PasswordField
            name="password"
            label="Current password"
            autoComplete="current-password"
            required
            error={error('password')}
          />
          <TextField
            name="code"
            label="Code"
            hint="Six digits from your authenticator app, or one of your recovery codes."
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            required
            error={error('code')}
          />
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
        </Form>
      ) : pending === null ? (
        <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4">
          <p>With a second factor, your password alone is not enough to sign in. You need an authenticator app.</p>
          <PasswordField
            name="password"
            label="Current password"
            autoComplete="current-password"
            required
            error={error('password')}
          />
          <SubmitButton name="intent" value="begin">
            Begin
          </SubmitButton>
        </Form>
      ) : (
        <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4">
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
            error={error('code')}
          />
          <SubmitButton name="intent" value="confirm">
            Confirm
          </SubmitButton>
        </Form>
      )}
      <p>
        <Link to="/settings" className="inline-flex min-h-11 items-center">
          Back to settings
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
