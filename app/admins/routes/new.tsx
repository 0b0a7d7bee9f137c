import { FAILURES } from '#app/forms/failures.ts';
import { useState } from 'react';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { titled } from '#app/ui/page-title.ts';
import { addAction } from '../admin-action.server.ts';
import { AdminForm } from '../admin-form.tsx';
import type { Route } from './+types/new';

export const meta = titled('Add new Admin');

export const loader = () => ({ idempotencyKey: newIdempotencyKey() });

export const action = (args: Route.ActionArgs) => addAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.addAdmin);

export default function NewAdmin({ loaderData, actionData }: Route.ComponentProps) {
  const [{ idempotencyKey }] = useState(loaderData);
  return <AdminForm values={{}} idempotencyKey={idempotencyKey} image={undefined} answer={actionData} back="/admins" />;
}
