// /vehicles/delete/{rego}: asks for confirmation and names the record, then removes it.
import { redirect } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitDeletion } from '#app/forms/submit-deletion.server.ts';
import { NO_FIELDS } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { backToList } from '#app/ui/list-left.ts';
import { regoOfForm } from '../missing-vehicle.server.ts';
import { Plate } from '../plate.tsx';
import { findVehicle } from '../queries.server.ts';
import { removeVehicle } from '../remove-vehicle.server.ts';
import type { Route } from './+types/delete';

export function meta({ matches, params }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Delete ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const rego = await regoOfForm(db, params.rego);
  const found = await findVehicle(db, rego);
  if (found.state !== 'live') throw redirect(`/vehicles/view/${rego}`);
  const { vin, companyName } = found.vehicle;
  return { idempotencyKey: newIdempotencyKey(), rego, vin, companyName };
}

export async function action(args: Route.ActionArgs) {
  const { db } = args.context.get(servicesContext);
  const rego = await regoOfForm(db, args.params.rego);
  const found = await findVehicle(db, rego);
  return submitDeletion(args, {
    list: '/vehicles',
    about: found.state === 'live' ? found.vehicle.id : undefined,
    schema: NO_FIELDS,
    async remove(key) {
      const answer = await removeVehicle(db, requireSignedIn(args.context), { rego, key });
      if (answer.removed) return undefined;
      return answer.reason === 'removed'
        ? { isGone: true, code: 'removed-already', sentence: 'Somebody else removed this vehicle.' }
        : { isGone: true, code: 'vehicle-unknown', sentence: 'There is no vehicle with this rego.' };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => backToList(sendForm(args, FAILURES.deletion));

export default function DeleteVehicle({
  loaderData: { idempotencyKey, rego, vin, companyName },
  actionData,
}: Route.ComponentProps) {
  return (
    <DeleteRecord
      title={`Delete ${rego}`}
      back={`/vehicles/view/${rego}`}
      failure={actionData?.failure}
      idempotencyKey={idempotencyKey}
      record={
        <>
          <div className="w-44">
            <Plate rego={rego} />
          </div>
          <p className="wrap-anywhere">{[`VIN ${vin || 'N/A'}`, companyName].filter(Boolean).join(' · ')}</p>
        </>
      }
      consequence="It will no longer be listed or found. Its history is kept, and an administrator can restore it."
    />
  );
}
