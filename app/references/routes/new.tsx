// /references/new: an admin adds a weighbridge.
import { useState } from 'react';
import { href } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { addAction } from '../reference-action.server.ts';
import { ReferenceForm } from '../reference-form.tsx';
import type { Route } from './+types/new';

export const meta = titled('Add weighbridge');

export const loader = () => ({ idempotencyKey: newIdempotencyKey() });

export const action = (args: Route.ActionArgs) => addAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.addReference);

export default function NewReference({ loaderData, actionData }: Route.ComponentProps) {
  const [{ idempotencyKey }] = useState(loaderData);
  return (
    <ReferenceForm
      title="Add weighbridge"
      values={{}}
      idempotencyKey={idempotencyKey}
      answer={actionData}
      back={href('/references')}
    />
  );
}
