// /calibrations/correct/{rego}/{id}: supersedes a wrong entry, with a reason. The wrong entry stays visible.
import { data, Form, redirect } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { wasRefused } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { USUAL_AXLES } from '#app/vehicles/axle.ts';
import { outputOf } from '#app/vehicles/group-details.ts';
import { isRecordRego, parseRego } from '#app/vehicles/vehicle.ts';
import { parseCalibrationId } from '#app/readings/calibration.ts';
import { correctionSchema } from '../calibration-entry.ts';
import { correctCalibration, mayCorrect } from '../correct-calibration.server.ts';
import { EntryFields } from '../entry-fields.tsx';
import { areConfirmed, slipsOf } from '../entry-slips.ts';
import { listReadingsBeside } from '../entry-rules.server.ts';
import { LOADS, weighingsIn, weighingsText, weighingsWords } from '#app/readings/weighings.ts';
import { findCalibration, type Calibration } from '#app/readings/queries.server.ts';
import { useEntryRemarks } from '../use-entry-remarks.ts';
import type { Route } from './+types/correct';

export const meta = titled('Correct an entry');

function namedBy(params: Route.LoaderArgs['params']): { rego: string; id: number } {
  const parsed = parseRego(params.rego);
  const rego = isRecordRego(params.rego) || !parsed.ok ? params.rego : parsed.rego;
  const id = parseCalibrationId(params.id);
  if (!parsed.ok || id === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return { rego, id };
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { rego, id } = namedBy(params);
  const entry = await findCalibration(context.get(servicesContext).db, rego, id);
  if (entry === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  const isClosed = entry.supersededBy !== null || !mayCorrect(requireSignedIn(context), entry);
  if (isClosed && !context.get(wasRefused)) throw redirect(`/calibrations/${rego}/${id}`);
  const { axle, attribute, value, unit, sides, dueOn } = entry;
  const beside = await besideOf(context.get(servicesContext).db, entry);
  return {
    rego,
    id,
    beside,
    weighings: await weighingsBehind(context.get(servicesContext).db, entry),
    idempotencyKey: newIdempotencyKey(),
    values: {
      axle,
      attribute,
      value: sides?.replace(' ', '/') ?? value,
      unit: outputOf({ output: unit ?? 'V' }),
      due_date: dueOn ?? '',
    },
  };
}

// The weighings of its visit that a weight came out of, in words; '' where there are none.
async function weighingsBehind(db: Db, { setId, attribute }: Calibration): Promise<string> {
  const load = LOADS.find(({ label }) => attribute === `${label} Weight`)?.load;
  if (setId === null || load === undefined) return '';
  const set = await db.selectFrom('calibrationSet').select('weighings').where('id', '=', setId).executeTakeFirst();
  const weighings = weighingsIn(set?.weighings ?? null).filter((one) => one.load === load);
  return weighingsWords(weighingsText(weighings));
}

const besideOf = (db: Db, { rego, id, technicianPersonId, calibratedAt }: Calibration) =>
  listReadingsBeside(db, { rego, personId: technicianPersonId, at: calibratedAt, except: id });

export function action(args: Route.ActionArgs) {
  const { db, config, now } = args.context.get(servicesContext);
  const { rego, id } = namedBy(args.params);
  return submitForm(args, {
    failure: FAILURES.correction,
    nothing: 'Nothing was changed.',
    schema: correctionSchema,
    async write({ input, key, form }) {
      const wrong = await findCalibration(db, rego, id);
      const slips = wrong === undefined ? [] : slipsOf(input, await besideOf(db, wrong));
      if (!areConfirmed(slips, form.fields.get('all_the_same'))) return refused(400, { more: { slips } });
      const answer = await correctCalibration(db, requireSignedIn(args.context), {
        rego,
        id,
        input,
        now: now(),
        key,
        zone: config.timeZone,
      });
      if (answer.corrected) return { goTo: { flash: 'entry-corrected', to: `/calibrations/${rego}/${answer.id}` } };
      return answer.reason === 'due-date'
        ? refused(400, { errors: { due_date: answer.message } })
        : refused(409, CAUSES[answer.reason]);
    },
  });
}

const CAUSES = {
  removed: { code: 'vehicle-removed', sentence: 'This vehicle has been removed.' },
  unknown: { code: 'entry-unknown', sentence: 'This entry belongs to an earlier vehicle with this rego.' },
  'not-yours': { code: 'not-yours', sentence: 'Technicians can correct only their own entries.' },
  'corrected-already': {
    code: 'corrected-already',
    sentence: 'This entry has already been corrected. Correct the newer entry instead.',
  },
} as const;

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.correction);

export default function CorrectCalibration({ loaderData, actionData }: Route.ComponentProps) {
  const { rego, id, idempotencyKey } = loaderData;
  const values = { ...loaderData.values, ...actionData?.values };
  const { errors, slips, onBlur, onInput } = useEntryRemarks(actionData, loaderData.beside);
  const form = useFocusOnError(actionData?.errors);
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl">{`Correct an entry of ${rego}`}</h1>
      <p className="pb-5 text-ink-2">
        The wrong entry stays visible, struck through, with your reason and the correct entry.
      </p>
      {loaderData.weighings === '' ? null : (
        <p className="pb-5">{`Weighed ${loaderData.weighings}. The weighings stay as they were recorded.`}</p>
      )}
      <FormNotes answer={actionData} />
      <Form
        ref={form}
        method="post"
        className="card grid gap-5 p-6 max-row:p-4"
        noValidate
        onBlur={onBlur}
        onInput={onInput}
      >
        <input type="hidden" name="form_key" value={idempotencyKey} />
        <EntryFields
          groupDetails={loaderData.beside.groupDetails}
          unit={values.unit}
          axles={[...new Set([...USUAL_AXLES, loaderData.values.axle])]}
          values={values}
          errors={errors}
          slips={slips}
          dueHint="As it should have been. Optional."
        />
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
          <ButtonLink to={`/calibrations/${rego}/${id}`}>Cancel</ButtonLink>
        </div>
        <NotSavedBar answer={actionData} />
      </Form>
    </main>
  );
}
