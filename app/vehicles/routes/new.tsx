// /vehicles/new, prefilled by /vehicles/new/{rego} and /vehicles/new?id={rego}.
import { FAILURES } from '#app/forms/failures.ts';
import { useState } from 'react';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { parseRego, stateQuestion } from '../vehicle.ts';
import { registerAction } from '../vehicle-action.server.ts';
import { VehicleForm } from '../vehicle-form.tsx';
import type { Route } from './+types/new';

export const meta = titled('Add new Vehicle');

export function loader({ params, url }: Route.LoaderArgs) {
  const wished = params.rego ?? url.searchParams.get('id') ?? '';
  const parsed = parseRego(wished);
  return {
    idempotencyKey: newIdempotencyKey(),
    // The form asks about a state.
    rego: parsed.ok && stateQuestion(wished) === undefined ? parsed.rego : wished.slice(0, 40),
  };
}

export const action = (args: Route.ActionArgs) => registerAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.addVehicle);

export default function NewVehicle({ loaderData, actionData }: Route.ComponentProps) {
  const [{ rego, idempotencyKey }] = useState(loaderData);
  return (
    <VehicleForm
      title="Add new Vehicle"
      button="Add Vehicle"
      values={{ rego }}
      idempotencyKey={idempotencyKey}
      files={[]}
      answer={actionData}
      back="/vehicles"
    />
  );
}
