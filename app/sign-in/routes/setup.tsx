import { data } from 'react-router';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { titled } from '#app/ui/page-title.ts';
import { setupSchema } from '../sign-in-entry.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { DeadLink } from '#app/shell/dead-link.tsx';
import { NewPasswordFields } from '../new-password-fields.tsx';
import { isSetupOpen, setUpRegistry } from '../set-up-registry.server.ts';
import { signIn } from '../sign-in.server.ts';
import { goOn } from '../sign-in-action.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import type { Route } from './+types/setup';

export const meta = titled('First administrator', { robots: 'noindex' });

const linkOf = (url: URL) => url.searchParams.get('link') ?? '';

export async function loader({ context, url }: Route.LoaderArgs) {
  const works = await isSetupOpen(context.get(servicesContext).db, linkOf(url));
  return data({ works }, { status: works ? 200 : 410 });
}

export function action(args: Route.ActionArgs) {
  const { request, context, url } = args;
  return submitForm(args, {
    failure: PUBLIC_FAILURES.setUp,
    schema: setupSchema,
    async write({ input: { email, name, password } }) {
      const services = context.get(servicesContext);
      const answer = await setUpRegistry(services, { email, name, password, token: linkOf(url) });
      if (!answer.done)
        return answer.reason === 'link-used'
          ? refused(410, { code: 'link-used', sentence: 'This link no longer works.' })
          : refused(400, { errors: { [answer.reason]: answer.message } });
      const signedIn = await signIn(services, visitorOf(request, context), { email, password });
      if (signedIn.state === 'signed-in') return goOn(signedIn, null);
      return { goTo: { flash: 'set-up', to: '/login' } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.setUp);

export default function Setup({ loaderData: { works }, actionData }: Route.ComponentProps) {
  if (!works)
    return (
      <DeadLink
        why="It creates the first administrator, once. Until somebody can sign in, each start of the registry prints a new link."
        to="/login"
        label="Admin Login"
      />
    );
  return (
    <AccountPage title="First administrator" note={<FormNotes answer={actionData} />}>
      <AnswerForm answer={actionData} className="grid gap-5" noValidate={false}>
        <p className="text-ink-2">This account can do everything in the registry, and can add other administrators.</p>
        <TextField name="email" label="Email" type="email" autoComplete="username" maxLength={254} required />
        <TextField name="name" label="Name" autoComplete="name" maxLength={200} required />
        <NewPasswordFields />
        <SubmitButton wide>Set up</SubmitButton>
      </AnswerForm>
    </AccountPage>
  );
}
