// /follow/leave/{token}: the button leaves, and so does a mail program's one click (RFC 8058): a POST without a page.
import { data, Form } from 'react-router';
import { AccountPage } from '#app/account/account-page.tsx';
import { services } from '#app/platform/services.server.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { leave } from '../leave.server.ts';
import { findByLink } from '../links.server.ts';
import type { Route } from './+types/leave';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [
    { title: `Follow no more · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'robots', content: 'noindex' },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(services);
  return { rego: (await findByLink(db, params.token, 'leave', now()))?.rego ?? null };
}

export async function action({ params, context }: Route.ActionArgs) {
  await leave(context.get(services), params.token);
  return data({ left: true });
}

export default function Leave({ loaderData: { rego } }: Route.ComponentProps) {
  if (rego === null)
    return (
      <AccountPage title="You hear no more">
        <p role="status">This address does not follow the vehicle, and is not kept. Nothing more is sent.</p>
      </AccountPage>
    );
  return (
    <AccountPage title={`Follow ${rego} no more`}>
      <Form method="post" className="grid gap-5">
        <p>{`Press the button, and nothing more is sent about ${rego}. Your address is erased at once.`}</p>
        <SubmitButton wide>Leave</SubmitButton>
      </Form>
    </AccountPage>
  );
}
