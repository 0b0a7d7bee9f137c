import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { redirect } from 'react-router';
import { logSize } from '#app/activity-log/queries.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { wasRefused } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { useOpenedForm } from '#app/ui/form-notes.tsx';
import { movedStatus, regoOfForm } from '../missing-vehicle.server.ts';
import { findNames, findVehicle } from '../queries.server.ts';
import { textsOf } from '../vehicle-columns.server.ts';
import { presentFiles, updateAction } from '../vehicle-action.server.ts';
import { VehicleForm } from '../vehicle-form.tsx';
import type { Route } from './+types/update';

export function meta({ matches, params }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Update Vehicle ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const rego = await regoOfForm(db, params.rego);
  if (rego !== params.rego) throw redirect(`/vehicles/update/${rego}`, movedStatus(params.rego, rego));
  const since = await logSize(db);
  const found = await findVehicle(db, rego);
  const opened = {
    since,
    rego,
    idempotencyKey: newIdempotencyKey(),
  };
  if (found.state !== 'live') {
    // The vehicle's page says that the vehicle is unknown, or when it was removed.
    if (!context.get(wasRefused)) throw redirect(`/vehicles/view/${rego}`);
    return { ...opened, files: [], changedBy: '', values: { rego, version: '0' } };
  }
  const { vehicle } = found;
  const names = await findNames(db, [vehicle.updatedBy]);
  return {
    ...opened,
    files: await presentFiles(context, vehicle.id),
    changedBy: names.get(vehicle.updatedBy ?? 0) ?? 'somebody',
    values: { rego, ...textsOf(vehicle), version: String(vehicle.version) },
  };
}

export const action = async (args: Route.ActionArgs) =>
  updateAction(args, await regoOfForm(args.context.get(servicesContext).db, args.params.rego));

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.updateVehicle);

export default function UpdateVehicle({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, answer, meanwhile } = useOpenedForm(loaderData, actionData);
  return (
    <>
      <Subscription topics={[`vehicle:${opened.rego}`]} since={opened.since} whereOneTypes />
      <VehicleForm
        title="Update Vehicle"
        button="Update Vehicle"
        values={opened.values}
        idempotencyKey={opened.idempotencyKey}
        files={opened.files}
        answer={answer}
        meanwhile={meanwhile}
        back={`/vehicles/view/${opened.rego}`}
      />
    </>
  );
}
