// /vehicles/plate/{rego}: gives a vehicle another plate.
import ArrowRight from 'lucide-react/icons/arrow-right';
import History from 'lucide-react/icons/history';
import { useState } from 'react';
import { href, redirect } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { wasRefused } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Choice } from '#app/ui/choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { openedPlate } from '../change-plate.server.ts';
import { movedStatus, regoOfForm } from '../missing-vehicle.server.ts';
import { Plate } from '../plate.tsx';
import { changePlateAction } from '../plate-action.server.ts';
import { STATE_CHOICES, WHYS } from '../plates.ts';
import { findVehicle } from '../queries.server.ts';
import { plateText } from '../plate-text.ts';
import { parseRego } from '../vehicle.ts';
import type { Route } from './+types/plate';

export function meta({ matches, params }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Change plate of ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext);
  const rego = await regoOfForm(db, params.rego);
  // The answer to a form stays on the page that it was sent from.
  if (rego !== params.rego && !context.get(wasRefused))
    throw redirect(href('/vehicles/plate/:rego', { rego }), movedStatus(params.rego, rego));
  const found = await findVehicle(db, rego);
  if (found.state !== 'live' && !context.get(wasRefused)) throw redirect(href('/vehicles/view/:rego', { rego }));
  const vehicle = found.state === 'live' ? found.vehicle : { rego, plateState: '' };
  return {
    idempotencyKey: newIdempotencyKey(),
    rego,
    state: vehicle.plateState,
    opened: openedPlate(vehicle),
    today: todayIn(config.timeZone, now()),
  };
}

export const action = async (args: Route.ActionArgs) =>
  changePlateAction(args, await regoOfForm(args.context.get(servicesContext).db, args.params.rego));

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.plate);

export default function ChangePlate({ loaderData, actionData }: Route.ComponentProps) {
  // What was opened stays while the page is open: sent again after a lost answer, it is the same write.
  const [{ rego, state, opened, today, idempotencyKey }] = useState(loaderData);
  const answer = useLatestAnswer(actionData);
  const [typed, setTyped] = useState('');
  const [typedState, setTypedState] = useState<string>();
  const parsed = parseRego(typed);
  const back = href('/vehicles/view/:rego', { rego });
  return (
    <main id="main" className="grid max-w-160 gap-5">
      <h1 className="text-xl">Change plate</h1>
      <FormNotes answer={answer} />
      <div className="flex items-center justify-center gap-4">
        <div className="max-w-44 min-w-0 grow">
          <Plate rego={rego} state={state} />
        </div>
        <ArrowRight size={24} aria-hidden="true" className="shrink-0" />
        <div className="max-w-44 min-w-0 grow">
          <Plate rego={parsed.ok ? parsed.rego : '?'} state={typedState ?? state} />
        </div>
      </div>
      <p className="sr-only">{`The plate now: ${opened}`}</p>
      <AnswerForm
        answer={answer}
        idempotencyKey={idempotencyKey}
        className="card grid gap-5 p-5 max-row:p-4"
        onInput={(event) => {
          if (!(event.target instanceof HTMLInputElement)) return;
          if (event.target.name === 'rego') setTyped(event.target.value);
          if (event.target.name === 'plate_state') setTypedState(event.target.value);
        }}
      >
        <input type="hidden" name="opened" value={opened} />
        <div className="grid gap-5 sm:grid-cols-[1fr_14rem]">
          <TextField
            name="rego"
            label="New rego"
            required
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
          />
          <TextField name="from" label="From" type="date" defaultValue={today} max={today} />
        </div>
        <Choice
          name="plate_state"
          legend="State or territory"
          options={STATE_CHOICES}
          columns="nine"
          defaultValue={state}
        />
        <Choice name="why" legend="Why" options={WHYS} columns="three" />
        <p className="flex gap-3 text-ink-2">
          <History size={20} aria-hidden="true" className="mt-0.5 shrink-0" />
          {`History, proofs and followers stay with the truck. ${plateText(rego)} still finds it.`}
        </p>
        <div className="flex flex-wrap gap-3">
          <SubmitButton>Change plate</SubmitButton>
          <ButtonLink to={back}>Cancel</ButtonLink>
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}
