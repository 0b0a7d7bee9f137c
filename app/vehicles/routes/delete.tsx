// /vehicles/delete/{rego}: one question that names the record, then the removal.
import { data, redirect } from 'react-router';
import { requireSignedIn } from '#app/account/session.server.ts';
import { keyOf, newFormKey } from '#app/platform/form-key.server.ts';
import { isScripted } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { Plate } from '../plate.tsx';
import { findVehicle } from '../queries.server.ts';
import { removeVehicle } from '../remove-vehicle.server.ts';
import { parseRego } from '../vehicle.ts';
import type { Route } from './+types/delete';

export function meta({ matches, params }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Delete ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

const FAILURE = 'Error deleting item:';

export async function loader({ params, context }: Route.LoaderArgs) {
  const parsed = parseRego(params.rego);
  if (!parsed.ok) throw data(null, { status: 404, statusText: 'Not Found' });
  const found = await findVehicle(context.get(services).db, parsed.rego);
  if (found.state !== 'live') throw redirect(`/vehicles/view/${parsed.rego}`);
  const { rego, vin, companyName } = found.vehicle;
  return { formKey: newFormKey(), rego, vin, companyName };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const given = context.get(services);
  const parsed = parseRego(params.rego);
  if (!parsed.ok) return data({ failure: `${FAILURE} rego-invalid. ${parsed.message}` }, { status: 404 });
  try {
    const formKey = await keyOf(request);
    const answer = await removeVehicle(given.db, requireSignedIn(context), parsed.rego, formKey);
    if (answer.removed)
      return redirect('/vehicles', { status: 303, headers: { 'set-cookie': carryNotice('record-deleted') } });
    // Without scripts this page would be of a record that is no longer there: the list says it.
    if (!isScripted(request))
      return redirect('/vehicles', { status: 303, headers: { 'set-cookie': carryNotice('deleted-already') } });
    const cause =
      answer.reason === 'removed'
        ? 'removed-already. Somebody else removed this vehicle.'
        : 'vehicle-unknown. No vehicle with this rego is in the registry.';
    return data({ failure: `${FAILURE} ${cause}` }, { status: 409 });
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'a vehicle was not removed');
    return data(
      { failure: `${FAILURE} registry-unavailable. Nothing was removed. Try again in a moment.` },
      { status: 503 },
    );
  }
}

export default function DeleteVehicle({
  loaderData: { formKey, rego, vin, companyName },
  actionData,
}: Route.ComponentProps) {
  return (
    <DeleteRecord
      title={`Delete ${rego}`}
      back={`/vehicles/view/${rego}`}
      failure={actionData?.failure}
      formKey={formKey}
      record={
        <>
          <div className="w-44">
            <Plate rego={rego} />
          </div>
          <p className="break-words">{[`VIN ${vin || 'N/A'}`, companyName].filter(Boolean).join(' · ')}</p>
        </>
      }
      consequence="It leaves all lists and searches. Its history stays, and an admin can restore it."
    />
  );
}
