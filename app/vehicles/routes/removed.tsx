// /vehicles/removed: what left the registry, and the way back.
import { data, Form, Link, redirect } from 'react-router';
import { requireSignedIn } from '#app/account/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { formatInstant } from '#app/platform/calendar.ts';
import { fieldsOf } from '#app/platform/form.server.ts';
import { newFormKey } from '#app/platform/form-key.server.ts';
import { useLiveUpdates } from '#app/platform/live-client.ts';
import { parsePage } from '#app/platform/page-number.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { services } from '#app/platform/services.server.ts';
import { Note } from '#app/ui/note.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts';
import { listRemovedVehicles } from '../queries.server.ts';
import { restoreVehicle } from '../remove-vehicle.server.ts';
import type { Route } from './+types/removed';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Deleted vehicles · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, config } = context.get(services);
  const since = await logSize(db);
  const { items, page, pages, total } = await listRemovedVehicles(db, parsePage(url.searchParams));
  return {
    since,
    page,
    pages,
    total,
    items: items.map(({ deletedAt, ...vehicle }) => ({
      ...vehicle,
      formKey: newFormKey(),
      removed: deletedAt === null ? '' : formatInstant(deletedAt, config.timeZone),
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await fieldsOf(request);
  const id = String(form.get('id') ?? '');
  const answer = await restoreVehicle(context.get(services).db, requireSignedIn(context), id, form.get('form_key'));
  if (answer.restored)
    return redirect(`/vehicles/view/${answer.rego}`, {
      status: 303,
      headers: { 'set-cookie': carryNotice('vehicle-restored') },
    });
  if (answer.reason === 'unknown')
    return data({ failure: 'vehicle-unknown. There is no such vehicle.', rego: null }, { status: 404 });
  const failure =
    answer.reason === 'rego-taken'
      ? `rego-exists. ${answer.rego} was added anew since. Remove the new one first.`
      : `restored-already. ${answer.rego} is in the registry.`;
  return data({ failure, rego: answer.rego }, { status: 409 });
}

export default function RemovedVehicles({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useKeptAnswer(actionData);
  const { items, page, pages, total, since } = loaderData;
  useLiveUpdates(['vehicles'], since);
  return (
    <main id="main">
      <h1 className="pb-5 text-xl">Deleted vehicles</h1>
      {answer === undefined ? null : (
        <div className="pb-5">
          <Note kind="error">
            {`Error restoring item: ${answer.failure} `}
            {answer.rego === null ? null : <Link to={`/vehicles/view/${answer.rego}`}>{`Open ${answer.rego}`}</Link>}
          </Note>
        </div>
      )}
      <div className="card">
        {total === 0 ? (
          <p className="px-5 py-8 text-center text-ink-2">No vehicle has been deleted.</p>
        ) : (
          <ul className="px-5 py-2">
            {items.map(({ id, rego, vin, companyName, removed, removedBy, formKey }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-2.5 last:border-b-0"
              >
                <div className="min-w-0">
                  <p className="font-bold">{rego}</p>
                  <p className="break-words text-ink-2">
                    {[vin === '' ? 'no VIN' : vin, companyName].filter(Boolean).join(' · ')}
                  </p>
                  <p className="text-ink-2">{`Deleted ${removed} by ${removedBy ?? 'Anonymous'}`}</p>
                </div>
                <Form method="post">
                  <input type="hidden" name="form_key" value={formKey} />
                  <button
                    type="submit"
                    name="id"
                    value={id}
                    className="button-look button-secondary"
                    aria-label={`Restore ${rego}`}
                  >
                    Restore
                  </button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        <Pager page={page} pages={pages} label="Pages" hrefOf={(target) => `/vehicles/removed?page=${target}`} />
      </div>
      <p className="pt-4">
        <Link to="/vehicles" className="inline-flex min-h-11 items-center">
          All vehicles
        </Link>
      </p>
    </main>
  );
}
