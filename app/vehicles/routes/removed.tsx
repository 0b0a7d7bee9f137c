// /vehicles/removed: the removed vehicles, each with a button that restores it.
import { Form, Link } from 'react-router';
import { z } from 'zod';
import { IfMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { formatInstant } from '#app/platform/time/calendar.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { parsePage } from '#app/platform/http/page-number.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { FormNotes, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { Pager } from '#app/ui/pager.tsx';
import { listRemovedVehicles } from '../queries.server.ts';
import { restoreVehicle } from '../remove-vehicle.server.ts';
import type { Route } from './+types/removed';

export const meta = titled('Deleted vehicles');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const since = await logSize(db);
  const { items, page, pages, total } = await listRemovedVehicles(db, parsePage(url.searchParams));
  return {
    since,
    page,
    pages,
    total,
    items: items.map(({ deletedAt, ...vehicle }) => ({
      ...vehicle,
      idempotencyKey: newIdempotencyKey(),
      removed: deletedAt === null ? '' : formatInstant(deletedAt, config.timeZone),
    })),
  };
}

const restoreSchema = z.object({ id: z.string().default('') });

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.restore,
    nothing: 'Nothing was restored.',
    schema: restoreSchema,
    async write({ input: { id }, key }) {
      const { db } = args.context.get(servicesContext);
      const answer = await restoreVehicle(db, requireSignedIn(args.context), { id, key });
      if (answer.restored) return { goTo: { flash: 'vehicle-restored', to: `/vehicles/view/${answer.rego}` } };
      if (answer.reason === 'unknown')
        return refused(404, { code: 'vehicle-unknown', sentence: 'There is no such vehicle.' });
      const { rego } = answer;
      return refused(409, {
        ...(answer.reason === 'rego-taken'
          ? {
              code: 'rego-exists',
              sentence: `Another vehicle with rego ${rego} was added since. Remove that one first.`,
            }
          : { code: 'restored-already', sentence: `${rego} is in the registry.` }),
        link: { href: `/vehicles/view/${rego}`, label: `Open ${rego}` },
      });
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.restore);

export default function RemovedVehicles({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useLatestAnswer(actionData);
  const { items, page, pages, total, since } = loaderData;
  return (
    <main id="main">
      <Subscription topics={['vehicles']} since={since} />
      <h1 className="pb-5 text-xl">Deleted vehicles</h1>
      <FormNotes answer={answer} />
      <div className="card">
        {total === 0 ? (
          <p className="px-5 py-8 text-center text-ink-2">No vehicle has been deleted.</p>
        ) : (
          <ul className="px-5 py-2">
            {items.map(({ id, rego, vin, companyName, removed, removedBy, idempotencyKey }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-2.5 last:border-b-0"
              >
                <div className="min-w-0">
                  <p className="font-bold">{rego}</p>
                  <p className="wrap-anywhere text-ink-2">
                    {[vin === '' ? 'no VIN' : vin, companyName].filter(Boolean).join(' · ')}
                  </p>
                  <p className="wrap-anywhere text-ink-2">{`Deleted ${removed} by ${removedBy ?? 'Anonymous'}`}</p>
                </div>
                <IfMay to="remove vehicles">
                  <Form method="post">
                    <input type="hidden" name="form_key" value={idempotencyKey} />
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
                </IfMay>
              </li>
            ))}
          </ul>
        )}
        <Pager page={page} pages={pages} label="Pages" hrefOf={(target) => `/vehicles/removed?page=${target}`} />
      </div>
      <p className="flex flex-wrap gap-x-6 pt-4">
        <Link to="/vehicles" className="inline-flex min-h-11 items-center">
          All vehicles
        </Link>
        <Link to="/vehicles/vins" className="inline-flex min-h-11 items-center">
          One VIN on several records, and joins
        </Link>
      </p>
    </main>
  );
}
