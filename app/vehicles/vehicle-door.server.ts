// The vehicle form as it comes in, and the answers to its sender.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { may } from '#app/account/permissions.ts';
import { requireSignedIn, requireStillSignedIn } from '#app/account/session.server.ts';
import { MalformedForm, type ReceivedForm } from '#app/files/read-multipart.server.ts';
import { listStaged } from '#app/files/stage-upload.server.ts';
import { receiveForm } from '#app/files/receive-form.server.ts';
import { isScripted, readForm, wasRefused } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { presentChange } from './office-part.server.ts';
import { findNames, listVehicleFiles, type Vehicle } from './queries.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { IMAGES_MAX, type FileChoice } from './settle-files.server.ts';
import { updateVehicle } from './update-vehicle.server.ts';
import { changesOf } from './vehicle-columns.server.ts';
import { vehicleSchema, type VehicleField, type VehicleInput } from './vehicle-entry.ts';
import type { PresentFile } from './present-files.tsx';

export type VehicleFormField = VehicleField | 'certificate' | 'image';
type Words = Partial<Record<VehicleFormField, string>>;
/** What the form shows again. `theirs`: what others put where this form has something else. */
export type VehicleAnswer = FormAnswer<VehicleFormField> & {
  theirs?: Words;
  /** Files that were sent with the form and wait for it. */
  staged?: undefined | { certificate: { id: string; name: string }[]; image: { id: string; name: string }[] };
};

const ROLES = { certificate: 'certificate', image: 'image' } as const;
type Context = Readonly<RouterContextProvider>;

export async function registerAction(request: Request, context: Context) {
  return receive(request, context, 'Error adding vehicle:', undefined, async (input, choice, formKey, refuse) => {
    const answer = await registerVehicle(context.get(services), requireSignedIn(context), input, choice, formKey);
    if (answer.registered) return saved(request, 'vehicle-added', '/vehicles');
    if (answer.reason !== 'exists') return refuse(400, fileSentence(answer.reason));
    return refuse(409, `rego-exists. A vehicle with rego ${input.rego} is in the registry already. `, {
      errors: { rego: 'This rego is in the registry already.' },
      link: { href: `/vehicles/view/${input.rego}`, label: `Open ${input.rego}` },
    });
  });
}

export async function updateAction(request: Request, context: Context, rego: string) {
  return receive(request, context, 'Error updating vehicle:', rego, async (input, choice, formKey, refuse) => {
    const given = context.get(services);
    const who = requireSignedIn(context);
    const answer = await updateVehicle(given, who, rego, input, choice, formKey);
    if (answer.updated) return saved(request, 'vehicle-updated', `/vehicles/view/${rego}`);
    if (answer.reason === 'removed')
      return refuse(409, 'vehicle-removed. The vehicle was removed meanwhile. Nothing was saved.');
    if (answer.reason === 'unknown') return refuse(404, `vehicle-unknown. No vehicle with rego ${rego} is here.`);
    if (answer.reason !== 'stale') return refuse(400, fileSentence(answer.reason));
    const { now } = answer;
    const names = await findNames(given.db, [now.updatedBy]);
    const by = names.get(now.updatedBy ?? 0) ?? 'somebody';
    return refuse(
      409,
      `changed-meanwhile. Nothing was saved, as ${by} changed this vehicle meanwhile. Both values stand at each field that differs. Press Update to save yours.`,
      {
        theirs: theirsOf(now, input, may(who.role, 'decide validation'), by),
        values: { version: String(now.version) },
      },
    );
  });
}

/** The vehicle's files as the form lists them. */
export async function presentFiles(context: Context, vehicleId: string): Promise<PresentFile[]> {
  const files = await listVehicleFiles(context.get(services).db, vehicleId);
  return files.map(({ id, role, fileId, uploadedName, externalUrl, hasThumbnail }) => ({
    id,
    role,
    name: uploadedName || (role === 'certificate' ? 'on file' : 'image'),
    href: fileId === null ? externalUrl : `/files/${fileId}`,
    thumbnail: role === 'image' && fileId !== null ? `/files/${fileId}${hasThumbnail ? '/thumbnail' : ''}` : undefined,
  }));
}

type Refuse = (status: number, cause: string, more?: Partial<VehicleAnswer>) => ReturnType<typeof data<VehicleAnswer>>;

async function receive(
  request: Request,
  context: Context,
  failure: string,
  rego: string | undefined,
  write: (
    input: VehicleInput,
    choice: FileChoice,
    formKey: unknown,
    refuse: Refuse,
  ) => Promise<Response | ReturnType<typeof data<VehicleAnswer>>>,
) {
  const given = context.get(services);
  const who = requireSignedIn(context);
  const { personId } = who;
  let values: Words = {};
  let staged: VehicleAnswer['staged'];
  const refuse: Refuse = (status, cause, more = {}) => {
    context.set(wasRefused, true);
    return data<VehicleAnswer>(
      { errors: {}, ...more, staged, values: { ...values, ...more.values }, failure: `${failure} ${cause}` },
      { status },
    );
  };
  try {
    const received = await receiveForm(given, personId, request, ROLES);
    await requireStillSignedIn(given, request, who);
    if (rego !== undefined) received.fields.set('rego', rego);
    const form = readForm(vehicleSchema, received.fields);
    values = form.values;
    const choice = choiceOf(received);
    staged = {
      certificate: await listStaged(given.db, personId, [choice.certificate]),
      image: await listStaged(given.db, personId, choice.newImages),
    };
    if (received.notStored !== undefined) throw received.notStored;
    const errors: Words = { ...(form.ok ? {} : form.errors), ...fileErrors(received, choice) };
    if (!form.ok || Object.keys(errors).length > 0)
      return data<VehicleAnswer>({ values, errors, staged }, { status: 400 });
    return await write(form.input, choice, received.fields.get('form_key'), refuse);
  } catch (error) {
    if (error instanceof MalformedForm)
      return refuse(400, 'form-malformed. The form broke off on its way. Send it again.');
    if (!(error instanceof Error)) throw error;
    given.log.error({ err: error, request: context.get(requestId) }, 'a vehicle was not saved');
    return refuse(503, 'registry-unavailable. Nothing was saved. Try again in a moment.');
  }
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

function fileErrors({ refused }: ReceivedForm, choice: FileChoice): Words {
  const certificate = refused.get('certificate_file');
  const image = refused.get('image_file');
  const tooMany = choice.newImages.length > IMAGES_MAX;
  return {
    ...(certificate === undefined ? {} : { certificate }),
    ...(image === undefined ? (tooMany ? { image: `At most ${IMAGES_MAX} images.` } : {}) : { image }),
  };
}

function fileSentence(reason: 'file-missing' | 'too-many-images'): string {
  return reason === 'file-missing'
    ? 'file-missing. A chosen file is no longer here, as a day has passed. Choose it again.'
    : `too-many-images. A vehicle has at most ${IMAGES_MAX} images. Remove some first.`;
}

function saved(request: Request, notice: 'vehicle-added' | 'vehicle-updated', to: string) {
  if (!isScripted(request)) return redirect(to, { status: 303, headers: { 'set-cookie': carryNotice(notice) } });
  return data<VehicleAnswer>({ values: {}, errors: {}, saved: { notice, to } });
}

// What stands in the registry at each field where the form has something else.
function theirsOf(now: Vehicle, typed: VehicleInput, decides: boolean, by: string): Words {
  return Object.fromEntries(
    changesOf(now, typed, decides).map((change) => [
      change.field,
      `In the registry now, by ${by}: ${presentChange(change).from}`,
    ]),
  );
}
