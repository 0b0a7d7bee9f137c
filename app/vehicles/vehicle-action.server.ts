// The actions of the forms that add and update a vehicle.
import { href } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { refuseStale } from '#app/forms/refuse-stale.server.ts';
import { readForm } from '#app/platform/http/read-form.ts';
import type { ReceivedForm } from '#app/files/read-multipart.server.ts';
import { refused, submitReadForm, type Submission } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { listHrefAt } from './list-query.ts';
import { findNames, listVehicleFiles } from './queries.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { IMAGES_MAX, type FileChoice } from './commit-files.server.ts';
import { updateVehicle } from './update-vehicle.server.ts';
import { plateText } from './plate-text.ts';
import { textsOf } from './vehicle-columns.server.ts';
import { foldGroups, vehicleSchema, type VehicleField, type VehicleInput } from './vehicle-entry.ts';
import type { PresentFile } from './present-files.tsx';

/** What the form shows after it was sent. */
export type VehicleAnswer = FormAnswer<VehicleField>;

const UPLOADS = { certificate: 'certificate', image: 'image' } as const;
type Context = Submission['context'];

function readVehicle(form: ReceivedForm) {
  foldGroups(form);
  return readForm(vehicleSchema, form.fields);
}

export function registerAction(submission: Submission) {
  return submitReadForm<VehicleInput, VehicleField>(submission, {
    failure: FAILURES.addVehicle,
    read: readVehicle,
    uploads: UPLOADS,
    async write({ input, key, form }) {
      const choice = choiceOf(form);
      if (choice.newImages.length > IMAGES_MAX) return TOO_MANY;
      const services = submission.context.get(servicesContext);
      const answer = await registerVehicle(services, requireSignedIn(submission.context), { input, choice, key });
      if (answer.registered) return { saved: { flash: 'vehicle-added', to: listHrefAt(answer.rego) } };
      if (answer.reason === 'file-missing' || answer.reason === 'too-many-images')
        return refused(400, FILE_CAUSES[answer.reason]);
      return refused(409, {
        code: 'rego-exists',
        sentence: `There is already a vehicle with rego ${input.rego}.`,
        errors: { rego: EXISTS[answer.reason] },
        link: { href: `/vehicles/view/${input.rego}`, label: `Open ${input.rego}` },
      });
    },
  });
}

const EXISTS = {
  exists: 'There is already a vehicle with this rego.',
  'exists-without-state':
    'There is already a vehicle with this rego, and its state is not known. Enter that one’s state first.',
  'exists-for-admins': 'There is already a vehicle with this rego. An admin adds one of another state.',
};

export function updateAction(submission: Submission, rego: string) {
  return submitReadForm<VehicleInput, VehicleField>(submission, {
    failure: FAILURES.updateVehicle,
    read: readVehicle,
    fixed: { rego: plateText(rego) },
    uploads: UPLOADS,
    async write({ input, key, form }) {
      const choice = choiceOf(form);
      if (choice.newImages.length > IMAGES_MAX) return TOO_MANY;
      const services = submission.context.get(servicesContext);
      const who = requireSignedIn(submission.context);
      const answer = await updateVehicle(services, who, { rego, input, choice, key });
      if (answer.updated) return { saved: { flash: 'vehicle-updated', to: `/vehicles/view/${rego}` } };
      if (answer.reason === 'removed')
        return refused(409, {
          code: 'vehicle-removed',
          sentence: 'Somebody removed this vehicle in the meantime. Nothing was saved.',
        });
      if (answer.reason === 'unknown')
        return refused(404, { code: 'vehicle-unknown', sentence: `There is no vehicle with rego ${rego}.` });
      if (answer.reason === 'plate-state')
        return refused(400, {
          errors: { plate_state: 'The state changes with the plate.' },
          link: { href: href('/vehicles/plate/:rego', { rego }), label: 'Change plate' },
        });
      if (answer.reason === 'axle-group-removed')
        return refused(400, {
          errors: { axle_groups: 'Only an admin can leave out an axle group of the list, or one that was calibrated.' },
        });
      if (answer.reason === 'axle-group-without-reason')
        return refused(400, { errors: { reason: 'Say why an axle group is taken away.' } });
      if (answer.reason === 'due-without-reason')
        return refused(400, { errors: { reason: 'Say why you set the due date by hand.' } });
      if (answer.reason === 'due-without-visit')
        return refused(400, {
          errors: { next_calibration_due: 'No visit of this truck counts, so there is no due date to set.' },
        });
      if (answer.reason === 'due-too-late')
        return refused(400, {
          errors: {
            next_calibration_due: `Set a day up to ${formatDay(answer.latest)}: the longest interval after the visit.`,
          },
        });
      if (answer.reason !== 'stale') return refused(400, FILE_CAUSES[answer.reason]);
      const { now } = answer;
      const names = await findNames(services.db, [now.updatedBy]);
      const by = names.get(now.updatedBy ?? 0) ?? 'Somebody';
      const current = { what: 'vehicle', version: now.version, by, texts: textsOf(now) } as const;
      return refuseStale(vehicleSchema, form, { now: current, button: 'Update Vehicle' });
    },
  });
}

/** The vehicle's files as the form lists them. */
export async function presentFiles(context: Context, vehicleId: string): Promise<PresentFile[]> {
  const files = await listVehicleFiles(context.get(servicesContext).db, vehicleId);
  return files.map(({ id, role, fileId, uploadedName, externalUrl, hasThumbnail }) => ({
    id,
    role,
    name: uploadedName || (role === 'certificate' ? 'on file' : 'image'),
    href: fileId === null ? externalUrl : `/files/${fileId}`,
    thumbnail: role === 'image' && fileId !== null ? `/files/${fileId}${hasThumbnail ? '/thumbnail' : ''}` : undefined,
  }));
}

function choiceOf({ fields, all }: ReceivedForm): FileChoice {
  const places = [...fields].flatMap(([name, value]): [string, number][] =>
    name.startsWith('place_') && /^\d{1,3}$/.test(value) ? [[name.slice('place_'.length), Number(value)]] : [],
  );
  return {
    certificate: fields.get('certificate') ?? '',
    removeCertificate: fields.get('remove_certificate') === 'yes',
    newImages: [...new Set(all.get('image') ?? [])].filter((id) => id !== ''),
    removedImages: all.get('remove_image') ?? [],
    order: new Map(places),
  };
}

const TOO_MANY = refused(400, { fileErrors: { image: `At most ${IMAGES_MAX} images.` } });

const FILE_CAUSES = {
  'file-missing': {
    code: 'file-missing',
    sentence: 'Unsaved files are kept for one day, and one of these is gone. Choose it again.',
  },
  'too-many-images': {
    code: 'too-many-images',
    sentence: `A vehicle has at most ${IMAGES_MAX} images. Remove some first.`,
  },
};
