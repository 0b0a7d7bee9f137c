// /settings/tell: what one is told by email, and how soon.
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { Choice } from '#app/ui/choice.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { choose, listChoices } from '../choose-told.server.ts';
import { PACES, topicsFor, TOPICS, type Pace } from '../topics.ts';
import type { Route } from './+types/tell';

export const meta = titled('What to be told');

export async function loader({ context }: Route.LoaderArgs) {
  const { personId, role, email } = requireSignedIn(context);
  return { role, email, choices: await listChoices(context.get(servicesContext).db, personId, role) };
}

const schema = z.object(
  Object.fromEntries(
    TOPICS.map(({ topic, paces }) => [
      topic,
      z.enum<Pace[]>([...paces], { error: 'This cannot be turned off, or told so. Choose one of these.' }).optional(),
    ]),
  ),
);

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.settings,
    nothing: 'Nothing was changed.',
    schema,
    async write({ input }) {
      const { personId, role } = requireSignedIn(args.context);
      const chosen = topicsFor(role).flatMap(({ topic }) => {
        const pace = input[topic];
        return pace === undefined ? [] : [[topic, pace] as const];
      });
      await choose(args.context.get(servicesContext).db, personId, Object.fromEntries(chosen));
      return { goTo: { flash: 'told-chosen', to: '/settings' } };
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.settings);

export default function Tell({ loaderData: { role, email, choices }, actionData }: Route.ComponentProps) {
  return (
    <main id="main" className="max-w-130">
      <h1 className="text-xl">What to be told</h1>
      <p className="pb-5 text-ink-2">
        {`By email to ${email}. At once is within 15 minutes; the rest is one digest at six, never two of the same.`}
      </p>
      <FormNotes answer={actionData} />
      <AnswerForm answer={actionData} className="grid gap-5" noValidate>
        <div className="card divide-y divide-line *:px-5 *:py-4">
          {topicsFor(role).map(({ topic, title, hint, paces }) => (
            // A legend stands on the edge of its fieldset, whatever its padding.
            <div key={topic}>
              <Choice
                name={topic}
                legend={title}
                {...(hint === undefined ? {} : { hint })}
                columns="short"
                defaultValue={choices[topic]}
                options={PACES.filter(({ value }) => paces.includes(value))}
              />
            </div>
          ))}
        </div>
        <SubmitButton wide>Save</SubmitButton>
      </AnswerForm>
    </main>
  );
}
