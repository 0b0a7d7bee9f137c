// The action of the form that records a whole calibration set, or says what would become of it (the field 'intent').
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitReadForm, type Submission } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import type { Cause } from '#app/ui/form-answer.ts';
import { presentRego } from '#app/vehicles/plates.server.ts';
import { REGO_DIFFERS } from './calibration-action.server.ts';
import { recordCalibrationSet, type RecordSetAnswer } from './record-calibration-set.server.ts';
import { isAxle } from '#app/vehicles/axle.ts';
import { prefixOf } from '#app/readings/set-grid.ts';
import { openUnit, sentUnits } from './open-units.server.ts';
import { sentForm } from './sent-form.server.ts';
import { readSet, type SetInput } from './set-entry.ts';
import type { SetMore } from './set-answer.ts';
import { placeZoneIn, previewTyped } from './preview-visit.server.ts';
import { PHOTOS_MAX, TOO_MANY_PHOTOS } from '#app/visits/visit.ts';
import { flashOf } from '#app/visits/visit-outcome.ts';

const UNSEEN: Cause = {
  code: 'values-unlikely',
  sentence: 'Nothing is recorded yet: some values look like slips. Check them, or tick that they are correct.',
};

/** Records the form's set for the rego of the page. */
export function calibrateSetAction(submission: Submission, rego: string) {
  const services = submission.context.get(servicesContext);
  return submitReadForm<SetInput | 'preview' | 'add-unit', string, SetMore>(submission, {
    failure: FAILURES.calibration,
    nothing: 'Nothing was recorded.',
    uploads: { photo: 'image' },
    async read({ fields, all }) {
      const policy = await currentPolicy(services.db);
      const read = readSet(fields, all, {
        zone: services.config.timeZone,
        placeZone: await placeZoneIn(services.db, fields),
        now: services.now(),
        longestIntervalDays: policy.longestIntervalDays,
        tolerance: policy,
      });
      const { values, errors, input, ...found } = read;
      const moment = { now: services.now(), zone: services.config.timeZone };
      const units = await sentUnits(services.db, all.get('unit') ?? [], moment);
      const chosen = (place: number) => (all.get(`${prefixOf(place)}axle`) ?? []).filter(isAxle);
      const more: SetMore = { ...found, units: units.map((unit, place) => ({ ...unit, axles: chosen(place) })) };
      if (fields.get('intent') === 'add-unit') {
        const added = await openUnit(services.db, fields.get('add_unit') ?? '', moment);
        if (typeof added === 'string') return { ok: false, values, errors: { add_unit: added }, more };
        const again = units.some(({ rego: known }) => known === added.rego) ? [] : [added];
        return { ok: true, values, input: 'add-unit', more: { ...more, units: [...(more.units ?? []), ...again] } };
      }
      // The plate may have changed since the form was opened.
      if ((await presentRego(services.db, fields.get('rego') ?? '')) !== rego)
        return { ok: false, values, errors, more, cause: REGO_DIFFERS };
      if (fields.get('intent') === 'preview' && Object.keys(errors).length === 0)
        return { ok: true, values, input: 'preview', more };
      if (input !== undefined) return { ok: true, values, input, more };
      return { ok: false, values, errors, more, ...(Object.keys(errors).length > 0 ? {} : { cause: UNSEEN }) };
    },
    async write({ input, key, form }) {
      const photos = (form.all.get('photo') ?? []).filter((id) => id !== '');
      if (photos.length > PHOTOS_MAX) return refused(400, { fileErrors: { photo: TOO_MANY_PHOTOS } });
      const who = requireSignedIn(submission.context);
      if (input === 'add-unit') return refused(200, {});
      if (input === 'preview') {
        const { read, preview } = await previewTyped(services, who, { rego, ...form });
        const { axles, warnings, codes, zone } = read;
        const moment = { now: services.now(), zone: services.config.timeZone };
        const units = await sentUnits(services.db, form.all.get('unit') ?? [], moment);
        const more = { axles, warnings, codes, zone, units };
        return refused(200, { more: { ...more, ...(preview === null ? {} : { preview }) } });
      }
      const answer = await recordCalibrationSet(services, who, {
        rego,
        input,
        photos,
        key,
        form: sentForm(key, form.all),
      });
      if (answer.recorded) return { saved: { flash: flashOf(answer), to: `/vehicles/view/${rego}` } };
      return refused(answer.reason === 'unknown' ? 404 : 409, whyNotRecorded(answer));
    },
  });
}

/** Why a set was not recorded. */
export const whyNotRecorded = (answer: RecordSetAnswer & { recorded: false }): Cause =>
  answer.reason === 'trailer'
    ? {
        code: 'trailer-differs',
        sentence: `Trailer ${answer.rego} is no longer as the form says. Nothing was recorded: reload this page and check its VIN.`,
      }
    : NOT_RECORDED[answer.reason];

const NOT_RECORDED = {
  'registered-again': {
    code: 'registered-again',
    sentence:
      'This vehicle has been registered again since, and no VIN says that it is the same truck. Nothing was recorded.',
  },
  removed: { code: 'vehicle-removed', sentence: 'This vehicle has been removed. Nothing was recorded.' },
  unknown: { code: 'vehicle-unknown', sentence: 'No vehicle with this rego is in the registry.' },
  'vin-differs': {
    code: 'vin-differs',
    sentence:
      'The VIN of this vehicle has been changed. Nothing was recorded: reload this page and check the VIN on the truck.',
  },
  'file-missing': {
    code: 'file-missing',
    sentence: 'The photo is no longer stored, because a day has passed. Choose it again.',
  },
} as const satisfies Record<Exclude<(RecordSetAnswer & { recorded: false })['reason'], 'trailer'>, Cause>;
