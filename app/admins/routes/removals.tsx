// /admins/removals: removals of admins that a second admin confirms or refuses, and the one who removed may take back.
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { TOO_NEW } from '#app/people/two-people.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { FormNotes, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { shownRemovals } from '../queries.server.ts';
import { RemovalList } from '../removal-list.tsx';
import { decideRemoval } from '../remove-admin.server.ts';
import type { Route } from './+types/removals';

export const meta = titled('Removals of admins');

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const since = await logSize(db);
  const who = requireSignedIn(context);
  return {
    since,
    idempotencyKey: newIdempotencyKey(),
    removals: await shownRemovals(db, who.personId, config.timeZone),
  };
}

const schema = z.object({ id: z.string().default(''), decision: z.enum(['confirm', 'refuse']) });
const REFUSALS = {
  gone: { code: 'removal-gone', sentence: 'It was confirmed or refused, or it stands by now.' },
  own: { code: 'own-removal', sentence: 'Another administrator has to confirm what you did.' },
  'too-new': { code: 'too-new', sentence: TOO_NEW },
  'no-admin-any-more': { code: 'no-admin-any-more', sentence: 'You were removed meanwhile.' },
} as const;

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.deletion,
    nothing: 'Nothing was changed.',
    schema,
    async write({ input, key }) {
      const services = args.context.get(servicesContext);
      const answer = await decideRemoval(services, requireSignedIn(args.context), { ...input, key });
      if (!answer.decided) return refused(409, REFUSALS[answer.reason]);
      return { goTo: { flash: input.decision === 'refuse' ? 'removal-refused' : 'removal-confirmed', to: '/admins' } };
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.deletion);

export default function Removals({ loaderData, actionData }: Route.ComponentProps) {
  const { since, idempotencyKey, removals } = loaderData;
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="max-w-190">
      <Subscription topics={['admins']} since={since} />
      <h1 className="pb-5 text-xl">Removals of admins</h1>
      <FormNotes answer={answer} />
      {removals.length === 0 ? (
        <p>No removal of an admin waits.</p>
      ) : (
        <RemovalList removals={removals} idempotencyKey={idempotencyKey} />
      )}
    </main>
  );
}
