// The action of the calibration dialog: records one reading, or finishes the visit (the field 'intent').
import { href } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitReadForm, type Submission } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { readForm } from '#app/platform/http/read-form.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Cause } from '#app/ui/form-answer.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import { presentRego } from '#app/vehicles/plates.server.ts';
import { isRecordRego } from '#app/vehicles/vehicle.ts';
import type { EntryMore } from './calibrate-dialog.tsx';
import { calibrationSchema, type CalibrationField, type CalibrationInput } from './calibration-entry.ts';
import { finishVisit } from '#app/visits/close-visit.server.ts';
import { readEntryRules } from './entry-rules.server.ts';
import { areConfirmed, entryOutput, nextReading, slipsOf, type Beside } from './entry-slips.ts';
import { recordCalibration } from './record-calibration.server.ts';
import { flashOf } from '#app/visits/visit-outcome.ts';

type Entry = { do: 'record'; reading: CalibrationInput; beside: Beside; at: Date };
type Finish = { do: 'finish'; visitId: string };

/** Records the form's reading for the rego of the page, or finishes the person's open visit there. */
export async function calibrateAction(submission: Submission, page: string) {
  const { db, config, now } = submission.context.get(servicesContext);
  const rego = isRecordRego(page) ? await presentRego(db, page) : '';
  const who = () => requireSignedIn(submission.context);
  return submitReadForm<Entry | Finish, CalibrationField, EntryMore>(submission, {
    failure: FAILURES.calibration,
    nothing: 'Nothing was recorded.',
    async read({ fields }) {
      const named = fields.get('rego') ?? '';
      if (fields.get('intent') === 'finish')
        return { ok: true, values: {}, input: { do: 'finish', visitId: fields.get('visit') ?? '' } };
      const at = now();
      const { beside, longestIntervalDays } = await readEntryRules(db, { rego, personId: who().personId, at });
      const unit = entryOutput('', fields.get('axle') ?? '', beside.groupDetails);
      const schema = calibrationSchema(todayIn(config.timeZone, at), longestIntervalDays);
      const read = readForm(schema, new Map(fields).set('unit', unit));
      // The plate may have changed since the form was opened.
      if (rego !== '' && (await presentRego(db, named)) === rego)
        return read.ok ? { ...read, input: { do: 'record', reading: read.input, beside, at } } : read;
      const cause = rego === '' || named.trim() === '' ? REGO_MISSING : REGO_DIFFERS;
      return { ok: false, values: read.values, errors: {}, cause };
    },
    async write({ input: sent, key, form }) {
      if (sent.do === 'finish') {
        const { visitId } = sent;
        const done = await finishVisit(db, who(), { rego, visitId, now: now(), zone: config.timeZone, key });
        if (!done.finished) return NOT_FINISHED[done.reason];
        return {
          shown: true,
          more: { finished: { key: newIdempotencyKey(), visitId, outcome: done.closed } },
          unscripted: { flash: 'visit-finished', to: href('/vehicles/view/:rego', { rego }) },
        };
      }
      const { reading: input, beside, at } = sent;
      const slips = slipsOf(input, beside);
      if (!areConfirmed(slips, form.fields.get('all_the_same'))) return refused(400, { more: { slips } });
      const answer = await recordCalibration(db, who(), { rego, input, now: at, zone: config.timeZone, key });
      if (!answer.recorded && answer.reason === 'recorded-already')
        return refused(409, {
          code: 'recorded-already',
          sentence: `This visit has a value of ${axleLabel(input.axle)}, ${input.attribute}. Correct it if it is wrong.`,
          link: { href: href('/calibrations/correct/:rego/:id', { rego, id: String(answer.id) }), label: 'Correct it' },
        });
      if (!answer.recorded && answer.reason === 'other-kind')
        return refused(400, { errors: { axle: `This vehicle has no group ${axleLabel(input.axle)}.` } });
      if (!answer.recorded)
        return answer.reason === 'removed'
          ? refused(409, { code: 'vehicle-removed', sentence: 'This vehicle has been removed. Nothing was recorded.' })
          : refused(404, { code: 'vehicle-unknown', sentence: 'No vehicle with this rego is in the registry.' });
      const { axle, attribute } = input;
      const next = nextReading(input, beside.readings);
      const back = new URLSearchParams({ calibrate: '', axle, attribute: next ?? attribute });
      return {
        shown: true,
        more: { recorded: { key: newIdempotencyKey(), axle, attribute, next, outcome: answer.closed } },
        unscripted: { flash: flashOf(answer.closed), to: `${href('/vehicles/view/:rego', { rego })}?${back}` },
      };
    },
  });
}

const REGO_MISSING: Cause = { code: 'rego-missing', sentence: 'Rego has not been entered!!!' };
/** The form says which truck it was filled in for. It must be the truck of the page. */
export const REGO_DIFFERS: Cause = { code: 'rego-differs', sentence: 'The form was filled in for another vehicle.' };

/** Why a visit was not finished. */
export const NOT_FINISHED = {
  removed: refused(409, { code: 'vehicle-removed', sentence: 'This vehicle has been removed.' }),
  unknown: refused(404, { code: 'vehicle-unknown', sentence: 'No vehicle with this rego is in the registry.' }),
  'not-open': refused(409, { code: 'visit-closed', sentence: 'This visit of yours is not open any more.' }),
} as const;
