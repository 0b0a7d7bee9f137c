// The calibration form as it comes in, and the answer to its sender.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { newFormKey } from '#app/platform/database/form-key.server.ts';
import { fieldsOf, isScripted, readForm } from '#app/platform/http/form.server.ts';
import { carryNotice } from '#app/platform/http/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services/services.server.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { calibrationSchema } from './calibration-entry.ts';
import type { CalibrationAttribute } from './calibration.ts';
import type { CalibrateAnswer } from './calibrate-dialog.tsx';
import type { EntryValues } from './entry-fields.tsx';
import { areConfirmed, nextReading, slipsOf } from './entry-slips.ts';
import { listReadingsBeside } from './queries.server.ts';
import { recordCalibration } from './record-calibration.server.ts';
import type { EntryAnswer } from './use-entry-judgement.ts';

const FAILURE = 'Error added item:';

/** Records what the form holds for the rego of the page. */
export async function calibrateAction(request: Request, context: Readonly<RouterContextProvider>, page: string) {
  const given = context.get(services);
  const who = requireSignedIn(context);
  const form = await fieldsOf(request);
  const rego = parseRego(page);
  const schema = calibrationSchema(todayIn(given.config.timeZone, given.now()));
  const read = readForm(schema, form);
  const values: EntryValues = read.values;
  const refuse = (status: number, failure: string | null, found: Partial<EntryAnswer> = {}) =>
    data<CalibrateAnswer>({ recorded: false, values, errors: {}, failure, ...found }, { status });
  // The form names the truck it was filled in for: never another one's.
  const named = form.get('rego');
  if (!rego.ok || named === null || String(named).trim() === '')
    return refuse(400, `${FAILURE} rego-missing. Rego has not been entered!!!`);
  if (String(named) !== rego.rego)
    return refuse(400, `${FAILURE} rego-differs. The form was filled in for another vehicle.`);
  if (!read.ok) return refuse(400, null, { errors: read.errors });
  let next: CalibrationAttribute | undefined;
  try {
    const at = given.now();
    const beside = await listReadingsBeside(given.db, { rego: rego.rego, personId: who.personId, at });
    const slips = slipsOf(read.input, beside);
    if (!areConfirmed(slips, form.get('all_the_same'))) return refuse(400, null, { slips });
    next = nextReading(read.input, beside);
    const answer = await recordCalibration(given.db, who, rego.rego, read.input, {
      now: at,
      formKey: form.get('form_key'),
    });
    if (!answer.recorded)
      return answer.reason === 'removed'
        ? refuse(409, `${FAILURE} vehicle-removed. This vehicle has been removed. Nothing was recorded.`)
        : refuse(404, `${FAILURE} vehicle-unknown. No vehicle with this rego is in the registry.`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    given.log.error({ err: error, request: context.get(requestId) }, 'a calibration was not recorded');
    return refuse(503, `${FAILURE} registry-unavailable. Nothing was recorded. Try again in a moment.`);
  }
  const { axle, attribute } = read.input;
  if (isScripted(request)) return data<CalibrateAnswer>({ recorded: true, key: newFormKey(), axle, attribute, next });
  const back = new URLSearchParams({ calibrate: '', axle, attribute: next ?? attribute });
  return redirect(`/vehicles/view/${rego.rego}?${back}`, {
    status: 303,
    headers: { 'set-cookie': carryNotice('entry-added') },
  });
}
