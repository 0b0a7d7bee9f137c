// /vehicles/calibrate/{rego}: records all axles of a visit in one transaction.
import { FAILURES } from '#app/forms/failures.ts';
import { redirect } from 'react-router';
import { draftOwner, requireSignedIn } from '#app/access/session.server.ts';
import { OnlineVisit } from '#app/field/online-visit.tsx';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { wasRefused } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { suggestedDays } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { draftKey } from '#app/ui/drafts.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { knownVin } from '#app/vehicles/vehicle.ts';
import { movedStatus, regoOfForm } from '#app/vehicles/missing-vehicle.server.ts';
import { fittedOf } from '#app/vehicles/read-groups.server.ts';
import { axlesToRead } from '../axles-to-read.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { openUnits } from '../open-units.server.ts';
import { calibrateSetAction } from '../calibration-set-action.server.ts';

import type { Route } from './+types/calibrate';

export function meta({ matches, params }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Calibrate ${params.rego} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext);
  const rego = await regoOfForm(db, params.rego);
  if (rego !== params.rego) throw redirect(`/vehicles/calibrate/${rego}`, movedStatus(params.rego, rego));
  const moment = now();
  const today = todayIn(config.timeZone, moment);
  const policy = await currentPolicy(db);
  const intervalDays = suggestedDays(policy);
  const opened = {
    rego,
    idempotencyKey: newIdempotencyKey(),
    // The key includes the person, so that on a shared phone nobody gets another person's draft.
    draftKey: draftKey(draftOwner(requireSignedIn(context)), rego),
    visitDate: today,
    dueDate: addDays(today, intervalDays),
    intervalDays,
    longestIntervalDays: policy.longestIntervalDays,
    zone: config.timeZone,
  };
  const found = await findVehicle(db, rego);
  if (found.state !== 'live') {
    // The vehicle's page says that the vehicle is unknown, or when it was removed.
    if (!context.get(wasRefused)) throw redirect(`/vehicles/view/${rego}`);
    return { ...opened, vehicleId: '', vin: '', axles: [], kind: '', groupDetails: '' };
  }
  const { id: vehicleId, kind, groupDetails } = found.vehicle;
  const units = await openUnits(db, url.searchParams.getAll('unit'), { now: moment, zone: config.timeZone });
  const known = { vehicleId, vin: knownVin(found.vehicle.vin), kind, groupDetails, units };
  const fitted = await fittedOf(db, found.vehicle, { now: moment, zone: config.timeZone });
  if (fitted.length > 0) return { ...opened, ...known, axles: fitted };
  const read = new Set((await listCalibrations(db, vehicleId)).map(({ axle }) => axle));
  return { ...opened, ...known, axles: axlesToRead(kind, { fitted, read }) };
}

export const action = async (args: Route.ActionArgs) =>
  calibrateSetAction(args, await regoOfForm(args.context.get(servicesContext).db, args.params.rego));

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.calibration);

export default function CalibrateAllAxles({ loaderData, actionData }: Route.ComponentProps) {
  return <OnlineVisit key={loaderData.rego} loaded={loaderData} actionAnswer={actionData} />;
}
