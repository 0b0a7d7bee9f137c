// /vehicles/delete/{rego}: one question that names the record, then the removal.
import { data, Form, Link, redirect } from 'react-router';
import { requireSignedIn } from '#app/account/session.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { Note } from '#app/ui/note.tsx';
import { Sheet } from '#app/ui/sheet.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
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
  return { rego, vin, companyName };
}

export async function action({ params, context }: Route.ActionArgs) {
  const given = context.get(services);
  const parsed = parseRego(params.rego);
  if (!parsed.ok) return data({ failure: `${FAILURE} rego-invalid. ${parsed.message}` }, { status: 404 });
  try {
    const answer = await removeVehicle(given.db, requireSignedIn(context), parsed.rego);
    if (answer.removed)
      return redirect('/vehicles', { status: 303, headers: { 'set-cookie': carryNotice('record-deleted') } });
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

export default function DeleteVehicle({ loaderData: { rego, vin, companyName }, actionData }: Route.ComponentProps) {
  const back = `/vehicles/view/${rego}`;
  return (
    <main id="main">
      <h1 className="text-xl">{`Delete ${rego}`}</h1>
      <Sheet title="Delete record" titleId="delete-title" closeTo={back}>
        <div className="grid gap-4 p-5">
          {actionData === undefined ? null : <Note kind="error">{actionData.failure}</Note>}
          <div className="w-44">
            <Plate rego={rego} />
          </div>
          <p className="break-words">{[`VIN ${vin || 'N/A'}`, companyName].filter(Boolean).join(' · ')}</p>
          <p className="text-lg font-bold">Are you sure that you wanted to delete this record.</p>
          <p className="text-sm text-ink-2">
            It leaves all lists and searches. Its history stays, and an admin can restore it.
          </p>
        </div>
        <footer className="flex justify-end gap-3 border-t border-line bg-sunken px-5 py-3 max-sm:grid max-sm:grid-cols-2">
          {/* Whoever presses Enter at once cancels. */}
          <Link to={back} data-first-focus className="button-look button-secondary">
            Cancel
          </Link>
          <Form method="post" className="contents">
            <SubmitButton look="danger">Delete</SubmitButton>
          </Form>
        </footer>
      </Sheet>
    </main>
  );
}
