// /vehicles/calibrate/{rego}: all axles of a visit, recorded at once or not at all.
import { FAILURES } from '#app/forms/failures.ts';
import { data, redirect } from 'react-router';
import { draftOwner, requireSignedIn } from '#app/access/session.server.ts';
import { addDays, timeIn, todayIn } from '#app/platform/time/calendar.ts';
import { newFormKey } from '#app/platform/database/form-key.server.ts';
import { wasRefused } from '#app/platform/http/form.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { suggestedDays } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { draftKey } from '#app/ui/drafts.ts';
import { sendForm } from '#app/ui/keep-typed.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { AXLES } from '../calibration.ts';
import { listCalibrations } from '../queries.server.ts';
import { calibrateSetAction } from '../set-door.server.ts';
import { SetForm } from '../set-form.tsx';
import type { Route } from './+types/calibrate';

export function meta({ matches, params }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Calibrate ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(services);
  const rego = regoOf(params.rego);
  if (rego !== params.rego) throw redirect(`/vehicles/calibrate/${rego}`, 301);
  const moment = now();
  const today = todayIn(config.timeZone, moment);
  const intervalDays = suggestedDays(await currentPolicy(db));
  const opened = {
    rego,
    formKey: newFormKey(),
    // On a shared phone nobody is offered what somebody else typed.
    draftKey: draftKey(draftOwner(requireSignedIn(context)), rego),
    visitDate: today,
    visitTime: timeIn(config.timeZone, moment),
    dueDate: addDays(today, intervalDays),
    intervalDays,
  };
  const found = await findVehicle(db, rego);
  if (found.state !== 'live') {
    // The vehicle's own page says that it is unknown, or when it was removed.
    if (!context.get(wasRefused)) throw redirect(`/vehicles/view/${rego}`);
    return { ...opened, vin: '', axles: [] };
  }
  const read = new Set((await listCalibrations(db, found.vehicle.id)).map(({ axle }) => axle));
  const axles = AXLES.map(({ axle }) => axle).filter((axle) => read.has(axle) || axle === 'STEER' || axle === 'DRIVE');
  return { ...opened, vin: found.vehicle.vin, axles };
}

export const action = ({ request, context, params }: Route.ActionArgs) =>
  calibrateSetAction(request, context, regoOf(params.rego));

function regoOf(text: string): string {
  const parsed = parseRego(text);
  if (!parsed.ok) throw data(null, { status: 404, statusText: 'Not Found' });
  return parsed.rego;
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.calibration);

export default function CalibrateAllAxles({ loaderData, actionData }: Route.ComponentProps) {
  return <SetForm key={loaderData.rego} loaded={loaderData} actionAnswer={actionData} />;
}
