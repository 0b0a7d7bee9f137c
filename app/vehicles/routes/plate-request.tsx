// /vehicles/plates/{id}: an admin decides about a change of a plate that a technician asked for.
import ArrowRight from 'lucide-react/icons/arrow-right';
import { useState } from 'react';
import { href, Link, redirect } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { wasRefused } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatDay, formatStated } from '#app/platform/time/calendar.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { listBearers } from '../choose-rego.server.ts';
import { listPlateRequests } from '../decide-plate.server.ts';
import { Plate } from '../plate.tsx';
import { decidePlateAction } from '../plate-action.server.ts';
import { listOthers } from '../plates.server.ts';
import { untilWords, WHYS } from '../plates.ts';
import type { Route } from './+types/plate-request';

export const meta = titled('Change of a plate');

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const [request] = await listPlateRequests(db, id);
  if (request === undefined) {
    if (context.get(wasRefused)) return null;
    throw redirect(href('/dashboard'));
  }
  const { vehicleId, vehicle, plateState, rego, state, fromOn, why, name, askedAt } = request;
  const [live, others] = [await listBearers(db, rego, vehicleId), await listOthers(db, { id: vehicleId, rego })];
  return {
    idempotencyKey: newIdempotencyKey(),
    vehicle,
    plateState,
    rego,
    state,
    facts: [
      { label: 'From', value: formatDay(fromOn) },
      { label: 'Why', value: WHYS.find(({ value }) => value === why)?.label ?? why },
      { label: 'Asked for', value: `${formatStated(askedAt, config.timeZone)} by ${name}` },
    ],
    others: [
      ...live.map((other) => ({ rego: other.rego, words: 'has this plate today' })),
      ...others.map((other) => ({ rego: other.rego, words: `${rego} was ${untilWords(other)}` })),
    ],
  };
}

export const action = (args: Route.ActionArgs) => decidePlateAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.plate);

export default function PlateRequest({ loaderData, actionData }: Route.ComponentProps) {
  // The key stays the same while the page is open: sent again after a lost answer, it is the same write.
  const [opened] = useState(loaderData);
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="grid max-w-160 gap-5">
      <h1 className="text-xl">Change of a plate</h1>
      <FormNotes answer={answer} />
      {opened === null ? null : (
        <AnswerForm answer={answer} idempotencyKey={opened.idempotencyKey} className="card grid gap-5 p-5 max-row:p-4">
          <div className="flex items-center justify-center gap-4">
            <div className="max-w-44 min-w-0 flex-1">
              <Plate rego={opened.vehicle} state={opened.plateState} />
            </div>
            <ArrowRight size={24} aria-hidden="true" className="shrink-0" />
            <div className="max-w-44 min-w-0 flex-1">
              <Plate rego={opened.rego} state={opened.state} />
            </div>
          </div>
          <p>
            <Link to={href('/vehicles/view/:rego', { rego: opened.vehicle })}>{opened.vehicle}</Link>
            {` is to be ${opened.rego}. Another truck has or had that plate:`}
          </p>
          <ul className="grid gap-1">
            {opened.others.map(({ rego, words }) => (
              <li key={rego}>
                <Link to={href('/vehicles/view/:rego', { rego })}>{rego}</Link>
                {`: ${words}.`}
              </li>
            ))}
          </ul>
          <FactList facts={opened.facts} />
          <div className="flex flex-wrap gap-3">
            <SubmitButton name="decision" value="confirm">
              Confirm the change
            </SubmitButton>
            <SubmitButton name="decision" value="decline" look="secondary">
              Decline
            </SubmitButton>
          </div>
          <NotSavedBar />
        </AnswerForm>
      )}
    </main>
  );
}
