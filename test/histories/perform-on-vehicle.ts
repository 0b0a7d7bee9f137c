// One operation on a vehicle, or what the registry does by itself, carried out by the product's own functions.
import type { SignedIn } from '#app/access/session.server.ts';
import { closeExpired, finishVisit } from '#app/visits/close-visit.server.ts';
import { correctCalibration } from '#app/recording/correct-calibration.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { NO_FACTS } from '#app/readings/visit-fact.ts';
import type { SetInput } from '#app/recording/set-entry.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { applyWithdrawals } from '#app/withdrawals/apply-withdrawals.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { vehicleSchema, type VehicleInput } from '#app/vehicles/vehicle-entry.ts';
import { judge, verdictFacts } from '#app/vehicles/verdict.ts';
import { importOne } from './perform-import.ts';
import { NO_FILES } from '#test/vehicles.ts';
import type { Outcome, Reading, ServerOperation, VehicleOperation } from './operation.ts';
import type { Answer } from './perform.ts';
import { FITTED } from './visit-rules.ts';

export async function onVehicle(services: Services, who: SignedIn, operation: VehicleOperation): Promise<Answer> {
  const { db } = services;
  const zone = services.config.timeZone;
  const { rego } = operation;
  switch (operation.do) {
    case 'open': {
      const found = await findVehicle(db, rego);
      if (found.state !== 'live') return { outcome: { state: found.state } };
      return { outcome: { state: 'live', ...shown(found.vehicle, operation.today) }, id: found.vehicle.id };
    }
    case 'register': {
      const { registered, ...more } = await registerVehicle(services, who, {
        input: inputOf(operation),
        choice: NO_FILES,
        key: operation.key,
      });
      return { outcome: registered ? { registered } : { registered, ...reasonOf(more) } };
    }
    case 'update': {
      const { version, mark } = operation.form;
      const input = inputOf({ ...operation, mark, version });
      const answer = await updateVehicle(services, who, { rego, input, choice: NO_FILES, key: operation.key });
      if (answer.updated) return { outcome: { updated: true } };
      const { reason } = answer;
      return {
        outcome: { updated: false, reason, ...('now' in answer ? shown(answer.now, operation.today) : {}) },
      };
    }
    case 'remove':
      return { outcome: { ...(await removeVehicle(db, who, { rego, key: operation.key })) } };
    case 'restore': {
      const { restored, ...more } = await restoreVehicle(db, who, { id: operation.id, key: operation.key });
      return { outcome: restored ? { restored } : { restored, ...reasonOf(more) } };
    }
    case 'decide': {
      const { validated, reason, key } = operation;
      return { outcome: { ...(await decideValidation(db, who, { rego, validated, reason, key })) } };
    }
    case 'record': {
      const input = { ...entryOf(operation.reading), confirmed: true };
      const answer = await recordCalibration(db, who, { rego, input, ...momentOf(operation, zone) });
      if (!answer.recorded) return { outcome: { ...answer } };
      const { id, closed } = answer;
      return { outcome: { recorded: true, id, ...(closed === undefined ? {} : closedOf(closed)) } };
    }
    case 'record set': {
      const { at, key } = operation;
      const answer = await recordCalibrationSet({ ...services, now: () => new Date(at) }, who, {
        rego,
        input: setOf(operation),
        photos: [],
        key,
      });
      return { outcome: answer.recorded ? { recorded: true, closed: answer.state } : { ...answer } };
    }
    case 'finish': {
      const { id: visitId } = operation;
      const answer = await finishVisit(db, who, { rego, visitId, ...momentOf(operation, zone) });
      return { outcome: answer.finished ? { finished: true, ...closedOf(answer.closed) } : { ...answer } };
    }
    case 'correct': {
      const input = { ...entryOf(operation.reading), reason: operation.reason };
      const answer = await correctCalibration(db, who, { rego, id: operation.id, input, ...momentOf(operation, zone) });
      if (answer.corrected || answer.reason !== 'due-date') return { outcome: { ...answer } };
      return { outcome: { corrected: false, reason: answer.reason } };
    }
    case 'decide visit': {
      const { decision, reason, openedState, id } = operation;
      const input = { decision, reason, openedState, note: '' };
      const answer = await decideVisit(db, who, { visitId: id, input, ...momentOf(operation, zone) });
      return { outcome: answer.decided ? { decided: true } : { ...answer } };
    }
    case 'import':
      return importOne(services, operation);
    case 'expire':
    case 'apply withdrawal':
      throw new Error('the registry does this by itself, for all vehicles');
  }
}

/** So few that a withdrawal takes several blocks. */
const VISITS_A_BLOCK = 2;

/** What the registry does by itself; a leader of several nodes does it, or two at once. */
export async function byItself({ db, config }: Services, operation: ServerOperation): Promise<Answer> {
  const now = new Date(operation.at);
  if (operation.do === 'close expired') await closeExpired(db, { now, zone: config.timeZone });
  else await applyWithdrawals(db, { now: () => now, isLost: () => false, visitsABlock: VISITS_A_BLOCK });
  return { outcome: {} };
}

const momentOf = ({ at, key }: { at: number; key: string }, zone: string) => ({ now: new Date(at), key, zone });

const closedOf = ({ state: closed, dueOn: closedDueOn }: { state: string; dueOn: string | null }) => ({
  closed,
  closedDueOn,
});

const reasonOf = (more: object): Outcome => ('reason' in more ? { reason: String(more.reason) } : {});

const shown = (vehicle: Vehicle, today: string): Outcome => ({
  mark: vehicle.make,
  version: vehicle.version,
  notes: vehicle.notes,
  dueOn: vehicle.nextCalibrationDueOn,
  validated: vehicle.calibrationValidated,
  verdict: judge(verdictFacts(vehicle), today, FIRST_POLICY).verdict,
});

/** The vehicle form as it would come in. */
function inputOf(form: {
  rego: string;
  mark: string;
  notes: string;
  validated: boolean;
  dueOn: string | null;
  reason?: string;
  version?: number;
}): VehicleInput {
  return vehicleSchema.parse({
    rego: form.rego,
    make: form.mark,
    axle_groups: FITTED,
    notes: form.notes,
    next_calibration_due: form.dueOn ?? '',
    calibration_validated: form.validated ? 'yes' : 'no',
    reason: form.reason ?? '',
    version: form.version ?? 0,
  });
}

const entryOf = ({ axle, attribute, value, dueOn }: Reading) => ({ axle, attribute, value, due_date: dueOn });

const DAY_MS = 86_400_000;
const NO_EXTRAS = {
  check_volt: null,
  check_weight: null,
  as_found_empty: null,
  as_found_loaded: null,
  sensor_replaced: false,
  other_trailer: false,
};

function setOf({ readings, daysAgo, weighedOn, at }: Extract<VehicleOperation, { do: 'record set' }>): SetInput {
  const valueOf = (attribute: Reading['attribute']) =>
    readings.find((reading) => reading.attribute === attribute)?.value ?? '';
  return {
    ...NO_FACTS,
    vin: '',
    visitedAt: new Date(at - daysAgo * DAY_MS),
    weighbridge: weighedOn?.line ?? '',
    reference_id: weighedOn?.id ?? '',
    due_date: readings[0]?.dueOn ?? null,
    notes: '',
    axles: [
      {
        axle: readings[0]?.axle ?? FITTED,
        readings: {
          empty_volt: valueOf('Empty Volt'),
          empty_weight: valueOf('Empty Weight'),
          loaded_volt: valueOf('Loaded Volt'),
          loaded_weight: valueOf('Loaded Weight'),
        },
        extras: NO_EXTRAS,
      },
    ],
  };
}
