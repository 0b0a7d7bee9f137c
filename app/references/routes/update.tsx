// /references/{id}/update: an admin changes the facts of a weighbridge.
import { href } from 'react-router';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { useOpenedForm } from '#app/ui/form-notes.tsx';
import { referenceOf, updateAction } from '../reference-action.server.ts';
import { textsOf } from '../reference-columns.server.ts';
import { ReferenceForm } from '../reference-form.tsx';
import type { Route } from './+types/update';

export const meta = titled('Update weighbridge');

export async function loader({ params, context }: Route.LoaderArgs) {
  const since = await logSize(context.get(servicesContext).db);
  const reference = await referenceOf(context, params.id);
  return {
    since,
    id: reference.id,
    idempotencyKey: newIdempotencyKey(),
    changedBy: reference.changedBy,
    values: { ...textsOf(reference), version: String(reference.version) },
  };
}

export const action = (args: Route.ActionArgs) => updateAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.updateReference);

export default function UpdateReference({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, answer, meanwhile } = useOpenedForm(loaderData, actionData);
  return (
    <>
      <Subscription topics={['references']} since={opened.since} whereOneTypes />
      <ReferenceForm
        title="Update weighbridge"
        values={opened.values}
        idempotencyKey={opened.idempotencyKey}
        answer={answer}
        meanwhile={meanwhile}
        back={href('/references/:id', { id: opened.id })}
      />
    </>
  );
}
