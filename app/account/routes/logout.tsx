import { data, Form, redirect } from 'react-router';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { Note } from '#app/ui/note.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { AccountPage } from '../account-page.tsx';
import { signOut } from '../end-session.server.ts';
import { visitorOf } from '../visitor.server.ts';
import type { Route } from './+types/logout';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Logout · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function action({ request, context }: Route.ActionArgs) {
  const given = context.get(services);
  try {
    const setCookies = await signOut(given, visitorOf(request, context).cookie);
    const headers = new Headers({ 'set-cookie': carryNotice('signed-out') });
    for (const line of setCookies) headers.append('set-cookie', line);
    return redirect('/login', { status: 303, headers });
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'a sign-out failed');
    return data(
      { error: 'Logout error: the registry cannot be reached. You are still signed in. Try again in a moment.' },
      { status: 503 },
    );
  }
}

export default function Logout({ actionData }: Route.ComponentProps) {
  return (
    <AccountPage
      title="Logout"
      note={
        actionData === undefined ? undefined : (
          <div className="pb-5">
            <Note kind="error">{actionData.error}</Note>
          </div>
        )
      }
    >
      <Form method="post">
        <SubmitButton wide>Logout</SubmitButton>
      </Form>
    </AccountPage>
  );
}
