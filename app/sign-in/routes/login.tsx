import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { signInAction, signInLoader } from '../sign-in-action.server.ts';
import { SignInPage } from '../sign-in-page.tsx';
import type { Route } from './+types/login';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [
    { title: `Admin Login · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'description', content: 'Where administrators of the registry sign in.' },
  ];
}

export const loader = (args: Route.LoaderArgs) => signInLoader(args);

export const action = (args: Route.ActionArgs) => signInAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.signIn);

export default function AdminLogin({ actionData }: Route.ComponentProps) {
  return <SignInPage title="Admin Login" answer={actionData} frame={AccountPage} />;
}
