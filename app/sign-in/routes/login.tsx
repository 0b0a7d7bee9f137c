import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { titled } from '#app/ui/page-title.ts';
import { signInAction, signInLoader } from '../sign-in-action.server.ts';
import { SignInPage } from '../sign-in-page.tsx';
import type { Route } from './+types/login';

export const meta = titled('Admin Login', { description: 'Where administrators of the registry sign in.' });

export const loader = (args: Route.LoaderArgs) => signInLoader(args);

export const action = (args: Route.ActionArgs) => signInAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.signIn);

export default function AdminLogin({ actionData }: Route.ComponentProps) {
  return <SignInPage title="Admin Login" answer={actionData} frame={AccountPage} />;
}
