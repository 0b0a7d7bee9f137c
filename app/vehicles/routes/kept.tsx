// /vehicles/kept: the lists that a person keeps, and a form that keeps the one it was opened from (`?of=` and its
// query).
import X from 'lucide-react/icons/x';
import { href, Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { keptHref, listKept, forgetList, KEPT_MAX, keepList } from '../kept-lists.server.ts';
import { KEPT_NAME_MAX } from '../list-query.ts';
import { z } from 'zod';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { optionalLine } from '#app/forms/text-fields.ts';
import type { Route } from './+types/kept';

export const meta = titled('Kept lists');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { personId } = requireSignedIn(context);
  const of = url.searchParams.get('of');
  const shown = of === null ? null : keptHref(of);
  return { kept: await listKept(context.get(servicesContext).db, personId), of, shown };
}

const keptSchema = z.object({
  name: optionalLine(KEPT_NAME_MAX),
  of: z.string().max(1000).default(''),
  forget: z.uuid().or(z.literal('')).default(''),
});

export function action(args: Route.ActionArgs) {
  const { context } = args;
  return submitForm(args, {
    failure: FAILURES.keepList,
    schema: keptSchema,
    async write({ input: { name, of, forget } }) {
      const { db } = context.get(servicesContext);
      const { personId } = requireSignedIn(context);
      if (forget !== '') {
        await forgetList(db, personId, forget);
        return { shown: true };
      }
      if (name === '') return refused(400, { errors: { name: 'Enter a name, such as: Due in December.' } });
      if ((await keepList(db, personId, { name, query: of })) === 'too-many')
        return refused(409, { code: 'too-many', sentence: `You keep ${KEPT_MAX} lists. Remove one first.` });
      return { goTo: { to: keptHref(of), flash: 'list-kept' } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.keepList);

export default function Kept({ loaderData: { kept, of, shown }, actionData }: Route.ComponentProps) {
  return (
    <main id="main" className="grid max-w-160 grid-cols-1 gap-5">
      <h1 className="text-xl">Kept lists</h1>
      <FormNotes answer={actionData} />
      {of === null ? null : (
        <AnswerForm answer={actionData} className="card grid grid-cols-1 gap-5 p-5 max-row:p-4">
          <p className="wrap-anywhere text-ink-2">{`Keep the list ${shown ?? ''} under a name. Only you see it.`}</p>
          <input type="hidden" name="of" value={of} />
          <TextField name="name" label="Name" maxLength={KEPT_NAME_MAX} required />
          <div className="flex flex-wrap gap-3">
            <SubmitButton>Keep the list</SubmitButton>
            <GoBack fallback={shown ?? href('/vehicles')} />
          </div>
        </AnswerForm>
      )}
      <section className="card" aria-label="Your lists">
        {kept.length === 0 ? (
          <p className="p-5 text-ink-2">
            You keep no list yet. Search or filter the vehicles, then choose ‘Keep this list’ above them.
          </p>
        ) : (
          <ul>
            {kept.map(({ id, name, href: address }) => (
              <li
                key={id}
                className="flex items-center justify-between gap-3 border-b border-line px-5 py-2 last:border-b-0 max-row:px-4"
              >
                <Link to={address} className="inline-flex min-h-11 items-center wrap-anywhere">
                  {name}
                </Link>
                <AnswerForm answer={undefined} noValidate={false}>
                  <input type="hidden" name="forget" value={id} />
                  <button type="submit" className="button-look button-secondary" aria-label={`Remove ${name}`}>
                    <X size={18} aria-hidden="true" />
                    Remove
                  </button>
                </AnswerForm>
              </li>
            ))}
          </ul>
        )}
      </section>
    </main>
  );
}
