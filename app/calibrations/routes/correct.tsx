// /calibrations/correct/{rego}/{id}: a wrong entry is superseded, with a reason. It stays to be seen.
import { data, Form, Link, redirect } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { newFormKey } from '#app/platform/database/form-key.server.ts';
import { fieldsOf, readForm, wasRefused } from '#app/platform/http/form.server.ts';
import { carryNotice } from '#app/platform/http/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { keepTyped } from '#app/ui/keep-typed.ts';
import { Note } from '#app/ui/note.tsx';
import { NotSavedBar } from '#app/ui/not-saved-bar.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { parseCalibrationId } from '../calibration.ts';
import { correctionSchema } from '../calibration-entry.ts';
import { correctCalibration, mayCorrect, type CorrectAnswer } from '../correct-calibration.server.ts';
import { EntryFields } from '../entry-fields.tsx';
import { areConfirmed, slipsOf } from '../entry-slips.ts';
import { findCalibration, listReadingsBeside, type Calibration } from '../queries.server.ts';
import { useEntryJudgement, type EntryAnswer } from '../use-entry-judgement.ts';
import type { Route } from './+types/correct';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Correct an entry · ${matches[0].loaderData?.registryName ?? ''}` }];
}

function namedBy(params: Route.LoaderArgs['params']): { rego: string; id: number } {
  const rego = parseRego(params.rego);
  const id = parseCalibrationId(params.id);
  if (!rego.ok || id === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return { rego: rego.rego, id };
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { rego, id } = namedBy(params);
  const entry = await findCalibration(context.get(services).db, rego, id);
  if (entry === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  const isClosed = entry.supersededBy !== null || !mayCorrect(requireSignedIn(context), entry);
  if (isClosed && !context.get(wasRefused)) throw redirect(`/calibrations/${rego}/${id}`);
  const { axle, attribute, value, dueOn } = entry;
  const beside = await besideOf(context.get(services).db, entry);
  return { rego, id, beside, formKey: newFormKey(), values: { axle, attribute, value, due_date: dueOn ?? '' } };
}

const besideOf = (db: Db, { rego, id, technicianPersonId, calibratedAt }: Calibration) =>
  listReadingsBeside(db, { rego, personId: technicianPersonId, at: calibratedAt, except: id });

type Answer = EntryAnswer & {
  values: Record<string, string | undefined>;
  failure: string | null;
  lost?: FormAnswer['lost'] | undefined;
};

export async function action({ request, params, context }: Route.ActionArgs) {
  const given = context.get(services);
  const { rego, id } = namedBy(params);
  const form = await fieldsOf(request);
  const read = readForm(correctionSchema, form);
  const refuse = (status: number, found: Partial<Answer>) => {
    context.set(wasRefused, true);
    return data<Answer>({ values: read.values, errors: {}, failure: null, ...found }, { status });
  };
  if (!read.ok) return refuse(400, { errors: read.errors });
  try {
    const wrong = await findCalibration(given.db, rego, id);
    const slips = wrong === undefined ? [] : slipsOf(read.input, await besideOf(given.db, wrong));
    if (!areConfirmed(slips, form.get('all_the_same'))) return refuse(400, { slips });
    const answer = await correctCalibration(given.db, requireSignedIn(context), { rego, id }, read.input, {
      now: given.now(),
      formKey: form.get('form_key'),
      zone: given.config.timeZone,
    });
    if (!answer.corrected && answer.reason === 'due-date') return refuse(400, { errors: { due_date: answer.message } });
    if (!answer.corrected) return refuse(409, { failure: `${FAILURES.correction} ${sentenceFor(answer)}` });
    return redirect(`/calibrations/${rego}/${answer.id}`, {
      status: 303,
      headers: { 'set-cookie': carryNotice('entry-corrected') },
    });
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'an entry was not corrected');
    return refuse(503, {
      failure: `${FAILURES.correction} registry-unavailable. Nothing was changed. Try again in a moment.`,
    });
  }
}

function sentenceFor({ reason }: Exclude<CorrectAnswer & { corrected: false }, { reason: 'due-date' }>): string {
  switch (reason) {
    case 'removed':
      return 'vehicle-removed. This vehicle has been removed.';
    case 'unknown':
      return 'entry-unknown. This entry belongs to an earlier vehicle with this rego.';
    case 'not-yours':
      return 'not-yours. Technicians can correct only their own entries.';
    case 'corrected-already':
      return 'corrected-already. This entry has already been corrected. Correct the newer entry instead.';
  }
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepTyped(request, serverAction, ({ typed, lost, cause }): Answer => ({
    values: typed,
    errors: {},
    failure: `${FAILURES.correction} ${cause}`,
    lost,
  }));

export default function CorrectCalibration({ loaderData, actionData }: Route.ComponentProps) {
  const { rego, id, formKey } = loaderData;
  const values = { ...loaderData.values, ...actionData?.values };
  const { errors, slips, onBlur, onInput } = useEntryJudgement(actionData, loaderData.beside);
  const form = useFocusOnError(actionData?.errors);
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl">{`Correct an entry of ${rego}`}</h1>
      <p className="pb-5 text-ink-2">
        The wrong entry stays visible, struck through, with your reason and the correct entry.
      </p>
      {actionData?.failure == null ? null : (
        <div className="pb-5">
          <Note kind="error">{actionData.failure}</Note>
        </div>
      )}
      <Form
        ref={form}
        method="post"
        className="card grid gap-5 p-6 max-row:p-4"
        noValidate
        onBlur={onBlur}
        onInput={onInput}
      >
        <input type="hidden" name="form_key" value={formKey} />
        <EntryFields values={values} errors={errors} slips={slips} dueHint="As it should have been. Optional." />
        <TextField
          name="reason"
          label="Reason"
          hint="Required. The reason is public: do not name anyone."
          maxLength={500}
          required
          defaultValue={actionData?.values.reason}
          error={errors.reason}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>Correct entry</SubmitButton>
          <Link to={`/calibrations/${rego}/${id}`} className="button-look button-secondary">
            Cancel
          </Link>
        </div>
        <NotSavedBar answer={actionData} />
      </Form>
    </main>
  );
}
