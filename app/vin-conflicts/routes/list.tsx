// /vehicles/vins: VINs and serial numbers that several live records have, joins that wait for a second admin, and those
// that may be undone.
import { Form, href, Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { logSize } from '#app/activity-log/queries.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatStated } from '#app/platform/time/calendar.ts';
import { FormNotes, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SerialConflictList } from '#app/vehicles/serial-conflict-list.tsx';
import { serialConflicts } from '#app/vehicles/serial-conflicts.server.ts';
import { FULL_VIN } from '#app/vehicles/vehicle.ts';
import { joinAction } from '../join-action.server.ts';
import { listConflicts, listOpenJoins } from '../queries.server.ts';
import { undoableSince } from '../part-records.server.ts';
import type { Route } from './+types/list';

const SERIALS_SHOWN = 100;

export const meta = titled('One VIN on several records');

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext);
  const since = await logSize(db);
  const joins = await listOpenJoins(db, undoableSince(now()));
  return {
    since,
    conflicts: await listConflicts(db, FULL_VIN),
    serials: await serialConflicts(db, SERIALS_SHOWN),
    joins: joins.map(({ id, rego, kept, name, askedAt, joinedAt, isAlone }) => ({
      id,
      rego,
      kept,
      isDone: joinedAt !== null,
      words: `${formatStated(joinedAt ?? askedAt, config.timeZone)}, asked for by ${name}${isAlone ? ' alone' : ''}`,
      idempotencyKey: newIdempotencyKey(),
    })),
  };
}

export const action = (args: Route.ActionArgs) => joinAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.join);

const ROW =
  'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-2.5 last:border-b-0';
const DECISIONS = [
  { decision: 'confirm', word: 'Confirm' },
  { decision: 'decline', word: 'Decline' },
] as const;
const UNDO = [{ decision: 'undo', word: 'Undo' }] as const;

export default function VinConflicts({ loaderData, actionData }: Route.ComponentProps) {
  const { since, conflicts, serials, joins } = loaderData;
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="grid max-w-190 gap-5">
      <Subscription topics={['vehicles']} since={since} />
      <h1 className="text-xl">One VIN on several records</h1>
      <FormNotes answer={answer} />
      <ul className="card">
        {conflicts.length === 0 ? (
          <li className="px-5 py-8 text-center text-ink-2">No VIN is on two records.</li>
        ) : null}
        {conflicts.map(({ vin, isFull, regos }) => (
          <li key={vin} className={ROW}>
            <Link to={href('/vehicles/vins/:vin', { vin })} className="min-h-11 content-center font-mono">
              {vin}
            </Link>
            <span className="wrap-anywhere">{regos.join(', ')}</span>
            <span className="text-sm text-ink-2">{isFull ? 'Visits wait' : 'Too short: holds nothing back'}</span>
          </li>
        ))}
      </ul>
      {serials.length === 0 ? null : (
        <section className="grid gap-5" aria-labelledby="serials">
          <h2 id="serials" className="text-lg">
            One serial number on several records
          </h2>
          <SerialConflictList conflicts={serials} />
        </section>
      )}
      {joins.length === 0 ? null : <h2 className="text-lg">Joins</h2>}
      <ul className={joins.length === 0 ? 'hidden' : 'card'}>
        {joins.map(({ id, rego, kept, isDone, words, idempotencyKey }) => (
          <li key={id} className={ROW}>
            <p className="min-w-0 wrap-anywhere">
              <Link to={href('/vehicles/view/:rego', { rego })}>{rego}</Link>
              {isDone ? ' is part of ' : ' is to be part of '}
              <Link to={href('/vehicles/view/:rego', { rego: kept })}>{kept}</Link>
              <span className="block text-sm text-ink-2">{words}</span>
              {isDone ? null : <span className="block text-sm">The verdict gets better by it. Look at both.</span>}
            </p>
            <IfMay to="join vehicles">
              <Form method="post" className="flex flex-wrap gap-3">
                <input type="hidden" name="form_key" value={idempotencyKey} />
                <input type="hidden" name="id" value={id} />
                {(isDone ? UNDO : DECISIONS).map(({ decision, word }) => (
                  <button
                    key={decision}
                    type="submit"
                    name="decision"
                    value={decision}
                    className="button-look button-secondary"
                    aria-label={`${word} the join of ${rego} with ${kept}`}
                  >
                    {word}
                  </button>
                ))}
              </Form>
            </IfMay>
          </li>
        ))}
      </ul>
    </main>
  );
}
