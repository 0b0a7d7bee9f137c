// The vehicle page's data for signed-in persons: the private fields, who decided and changed what, and what the
// calibration dialog needs. No public page has any of it.
import { knownVin } from '#app/vehicles/vehicle.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { listVehicleActivities } from '#app/activity-log/queries.server.ts';
import { activityWords } from '#app/activity-log/activity.ts';
import { listReadingsBeside } from '#app/recording/entry-rules.server.ts';
import type { Calibration } from '#app/readings/queries.server.ts';
import { findOwnVisit } from '#app/recording/own-visit.server.ts';
import { labelOrigin } from '#app/labels/label-origin.ts';
import { addDays, formatStated, todayIn } from '#app/platform/time/calendar.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { days, suggestedDays, type Policy } from '#app/policy/policy.ts';
import type { ActivityChange } from '#database/tables.ts';
import { presentChange } from '#app/vehicles/present-change.ts';
import { axleGroupsOf } from '#app/vehicles/axle.ts';
import { presentFacts } from '#app/vehicles/present-facts.ts';
import { findPlateRequest } from '#app/vehicles/decide-plate.server.ts';
import { plateWords } from '#app/vehicles/plates.ts';
import { findNames, latestValidation, type Vehicle } from '#app/vehicles/queries.server.ts';

const CHANGES_SHOWN = 30;

/** `changes`: newest first. Times are texts that name the person too. */
export type OfficePart = Awaited<ReturnType<typeof officePart>>;

export async function officePart(
  { db, config, now }: Services,
  vehicle: Vehicle,
  { readings, who, policy }: { readings: readonly Calibration[]; who: SignedIn; policy: Policy },
) {
  const { timeZone } = config;
  const at = (instant: Date) => formatStated(instant, timeZone);
  const [names, validation, activities, beside, visit, request] = await Promise.all([
    findNames(db, [vehicle.addedBy, vehicle.updatedBy]),
    latestValidation(db, vehicle.id),
    listVehicleActivities(db, vehicle.id, CHANGES_SHOWN),
    listReadingsBeside(db, { rego: vehicle.rego, personId: who.personId, at: now() }),
    findOwnVisit(db, vehicle, { personId: who.personId, readings, policy, zone: timeZone, now: now() }),
    findPlateRequest(db, vehicle.id),
  ]);
  const today = todayIn(timeZone, now());
  // An imported record may name nobody.
  const when = (instant: Date, name: string | null | undefined, origin: string) =>
    origin === 'imported' && name == null ? `${at(instant)} (imported)` : `${at(instant)} by ${name ?? 'Anonymous'}`;
  const by = (instant: Date | null, actor: number | null) =>
    instant && when(instant, actor === null ? undefined : names.get(actor), vehicle.origin);
  return {
    hasLabel: labelOrigin(config) !== undefined,
    facts: [
      ...presentFacts(vehicle, 'office'),
      ...(request === undefined
        ? []
        : [
            {
              label: 'Plate asked for',
              kind: 'line' as const,
              value: `${plateWords(request.rego, request.state)}, by ${request.name}. An administrator confirms it`,
            },
          ]),
    ],
    added: by(vehicle.addedAt, vehicle.addedBy),
    updated: by(vehicle.updatedAt, vehicle.updatedBy),
    validated: vehicle.calibrationValidated,
    validation:
      validation === undefined
        ? null
        : {
            words: `${validation.validated ? 'Validated' : 'Not validated'}: ${when(validation.decidedAt, validation.by, validation.origin)}`,
            reason: validation.reason,
          },
    decideKey: newIdempotencyKey(),
    changes: activities.filter(isChange).map((activity) => ({
      index: activity.index,
      words: activityWords(activity),
      by: activity.by ?? 'the registry',
      when: `${at(activity.occurredAt)}${activity.imported ? ' (imported)' : ''}`,
      fields: (activity.changes ?? []).map(presentChange),
    })),
    entry: {
      idempotencyKey: newIdempotencyKey(),
      finishKey: newIdempotencyKey(),
      vin: knownVin(vehicle.vin),
      suggestedDue: { day: addDays(today, suggestedDays(policy)), label: `In ${days(suggestedDays(policy))}` },
      enteredToday: readings
        .filter(({ calibratedAt, supersededBy }) => supersededBy === null && todayIn(timeZone, calibratedAt) === today)
        .map(({ axle, attribute }) => `${axle} ${attribute}`),
      beside,
      axles: axleGroupsOf(vehicle.axleGroups),
      visit,
    },
  };
}

// The history already lists calibrations that did not change the vehicle.
const isChange = ({ kind, changes }: { kind: string; changes: ActivityChange[] | null }) =>
  !kind.startsWith('calibration') || changes?.some(({ field }) => field === 'next_calibration_due') === true;
