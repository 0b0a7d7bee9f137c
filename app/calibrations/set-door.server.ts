// The form of a whole calibration set as it comes in, and the answer to its sender.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { requireSignedIn, requireStillSignedIn } from '#app/access/session.server.ts';
import { FLASH_MESSAGES } from '#app/forms/flash-messages.ts';
import { listStaged } from '#app/files/stage-upload.server.ts';
import { receiveForm } from '#app/files/receive-form.server.ts';
import { isScripted, MalformedForm, wasRefused } from '#app/platform/http/form.server.ts';
import { carryNotice } from '#app/platform/http/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services/services.server.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { recordCalibrationSet, type RecordSetAnswer } from './record-calibration-set.server.ts';
import { readSet } from './set-entry.server.ts';
import type { Axle } from './calibration.ts';

/** What the form shows again, with warnings beside values and what the tick under them says yes to. */
export type SetAnswer = FormAnswer & {
  axles?: readonly Axle[];
  warnings?: Record<string, string>;
  codes?: string;
};

const FAILURE = 'Error added item:';
const UNSEEN =
  'values-unlikely. Nothing is recorded yet: some values look like slips. Check them, or tick that they are correct.';

/** Records what the form holds for the rego of the page. */
export async function calibrateSetAction(
  request: Request,
  context: Readonly<RouterContextProvider>,
  rego: string,
): Promise<Response | ReturnType<typeof data<SetAnswer>>> {
  const given = context.get(services);
  const who = requireSignedIn(context);
  let shown: Omit<SetAnswer, 'saved'> = { values: {}, errors: {} };
  const refuse = (status: number, cause?: string) => {
    context.set(wasRefused, true);
    return data<SetAnswer>(
      { ...shown, ...(cause === undefined ? {} : { failure: `${FAILURE} ${cause}` }) },
      { status },
    );
  };
  try {
    const received = await receiveForm(given, who.personId, request, { photo: 'image' });
    await requireStillSignedIn(given, request, who);
    const { fields, all, refused, notStored } = received;
    const read = readSet(fields, all, { zone: given.config.timeZone, now: given.now() });
    const photo = fields.get('photo') ?? '';
    const photoError = refused.get('photo_file');
    const { values, axles, warnings, codes } = read;
    const errors = { ...read.errors, ...(photoError === undefined ? {} : { photo: photoError }) };
    shown = {
      values,
      axles,
      errors,
      warnings,
      codes,
      staged: { photo: await listStaged(given.db, who.personId, [photo]) },
    };
    if (notStored !== undefined) throw notStored;
    // The form names the truck it was filled in for: never another one's.
    if ((fields.get('rego') ?? '') !== rego)
      return refuse(400, 'rego-differs. The form was filled in for another vehicle.');
    if (Object.keys(errors).length > 0) return refuse(400);
    if (read.input === undefined) return refuse(400, UNSEEN);
    const formKey = fields.get('form_key');
    const answer = await recordCalibrationSet(given, who, rego, read.input, { photo, formKey });
    if (!answer.recorded) return refuse(answer.reason === 'unknown' ? 404 : 409, sentenceFor(answer));
  } catch (error) {
    if (error instanceof MalformedForm) return refuse(error.status, `form-malformed. ${error.message}`);
    if (!(error instanceof Error)) throw error;
    given.log.error({ err: error, request: context.get(requestId) }, 'a calibration set was not recorded');
    return refuse(503, 'registry-unavailable. Nothing was recorded. Try again in a moment.');
  }
  const to = `/vehicles/view/${rego}`;
  if (isScripted(request))
    return data<SetAnswer>({ values: {}, errors: {}, saved: { notice: FLASH_MESSAGES['set-recorded'], to } });
  return redirect(to, { status: 303, headers: { 'set-cookie': carryNotice('set-recorded') } });
}

function sentenceFor({ reason }: RecordSetAnswer & { recorded: false }): string {
  switch (reason) {
    case 'removed':
      return 'vehicle-removed. This vehicle has been removed. Nothing was recorded.';
    case 'unknown':
      return 'vehicle-unknown. No vehicle with this rego is in the registry.';
    case 'vin-differs':
      return 'vin-differs. The VIN of this vehicle has been changed. Nothing was recorded: reload this page and check the VIN on the truck.';
    case 'file-missing':
      return 'file-missing. The photo is no longer stored, because a day has passed. Choose it again.';
  }
}
