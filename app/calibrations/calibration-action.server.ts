// The action of the form that records one reading.
import { href } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitReadForm, type Submission } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { readForm } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import type { EntryMore } from './calibrate-dialog.tsx';
import { calibrationSchema, type CalibrationField, type CalibrationInput } from './calibration-entry.ts';
import { areConfirmed, nextReading, slipsOf } from './entry-slips.ts';
import { listReadingsBeside } from './queries.server.ts';
import { recordCalibration } from './record-calibration.server.ts';

/** Records the form's reading for the rego of the page. */
export function calibrateAction(submission: Submission, page: string) {
  const { db, config, now } = submission.context.get(servicesContext);
  const parsed = parseRego(page);
  const rego = parsed.ok ? parsed.rego : '';
  return submitReadForm<CalibrationInput, CalibrationField, EntryMore>(submission, {
    failure: FAILURES.calibration,
    nothing: 'Nothing was recorded.',
    read({ fields }) {
      const read = readForm(calibrationSchema(todayIn(config.timeZone, now())), fields);
      // The form says which truck it was filled in for. It must be the truck of the page.
      const named = fields.get('rego') ?? '';
      if (named === rego && rego !== '') return read;
      const cause =
        rego === '' || named.trim() === ''
          ? 'rego-missing. Rego has not been entered!!!'
          : 'rego-differs. The form was filled in for another vehicle.';
      return { ok: false, values: read.values, errors: {}, cause };
    },
    async write({ input, key, form }) {
      const who = requireSignedIn(submission.context);
      const at = now();
      const beside = await listReadingsBeside(db, { rego, personId: who.personId, at });
      const slips = slipsOf(input, beside);
      if (!areConfirmed(slips, form.fields.get('all_the_same'))) return refused(400, { more: { slips } });
      const answer = await recordCalibration(db, who, rego, input, { now: at, zone: config.timeZone, key });
      if (!answer.recorded && answer.reason === 'recorded-already')
        return refused(409, {
          cause: `recorded-already. This visit has a value of ${axleLabel(input.axle)}, ${input.attribute}. Correct it if it is wrong. `,
          link: { href: href('/calibrations/correct/:rego/:id', { rego, id: String(answer.id) }), label: 'Correct it' },
        });
      if (!answer.recorded)
        return answer.reason === 'removed'
          ? refused(409, { cause: 'vehicle-removed. This vehicle has been removed. Nothing was recorded.' })
          : refused(404, { cause: 'vehicle-unknown. No vehicle with this rego is in the registry.' });
      const { axle, attribute } = input;
      const next = nextReading(input, beside);
      const back = new URLSearchParams({ calibrate: '', axle, attribute: next ?? attribute });
      return {
        shown: true,
        more: { recorded: { key: newIdempotencyKey(), axle, attribute, next } },
        unscripted: { flash: 'entry-added', to: `${href('/vehicles/view/:rego', { rego })}?${back}` },
      };
    },
  });
}
