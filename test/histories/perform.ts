// One operation, carried out by the product's own functions: those that the actions of its pages call.
import type { SignedIn } from '#app/access/session.server.ts';
import { findProfile } from '#app/people/profile-queries.server.ts';
import { updateProfile, ADMIN_UPDATED, PROFILE_UPDATED } from '#app/people/update-profile.server.ts';
import { addAdmin } from '#app/admins/add-admin.server.ts';
import { removeAdmin } from '#app/admins/remove-admin.server.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { deleteApplication } from '#app/applications/delete-application.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { correctCalibration } from '#app/calibrations/correct-calibration.server.ts';
import { recordCalibration } from '#app/calibrations/record-calibration.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { reinstateTechnician, suspendTechnician } from '#app/technicians/suspend-technician.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { vehicleSchema, type VehicleInput } from '#app/vehicles/vehicle-entry.ts';
import { NO_FILES } from '#test/vehicles.ts';
import type { Outcome, Operation, PeopleOperation, Reading, VehicleOperation } from './operation.ts';

/** What came of an operation. `id`: of the record that a form was opened for. */
export type Answer = { outcome: Outcome; id?: string };
/** Carries out an operation in somebody's name; what it throws nobody may ever see. */
export type Perform = (who: SignedIn, operation: Operation) => Promise<Answer>;

const PASSWORD = 'a weighbridge in the rain';
const FROM = '192.0.2.7';

/** The product, called as its pages call it. */
export function performByFunctions(services: Services): Perform {
  return (who, operation) =>
    'rego' in operation ? onVehicle(services, who, operation) : onPeople(services, who, operation);
}

async function onVehicle(services: Services, who: SignedIn, operation: VehicleOperation): Promise<Answer> {
  const { db } = services;
  const { rego } = operation;
  switch (operation.do) {
    case 'open': {
      const found = await findVehicle(db, rego);
      if (found.state !== 'live') return { outcome: { state: found.state } };
      return { outcome: { state: 'live', ...shown(found.vehicle) }, id: found.vehicle.id };
    }
    case 'register': {
      const { registered, ...more } = await registerVehicle(services, who, inputOf(operation), NO_FILES, operation.key);
      return { outcome: registered ? { registered } : { registered, ...reasonOf(more) } };
    }
    case 'update': {
      const { version, mark } = operation.form;
      const input = inputOf({ ...operation, mark, version });
      const answer = await updateVehicle(services, who, rego, input, NO_FILES, operation.key);
      if (answer.updated) return { outcome: { updated: true } };
      const { reason } = answer;
      return { outcome: { updated: false, reason, ...('now' in answer ? shown(answer.now) : {}) } };
    }
    case 'remove':
      return { outcome: { ...(await removeVehicle(db, who, rego, operation.key)) } };
    case 'restore': {
      const { restored, ...more } = await restoreVehicle(db, who, operation.id, operation.key);
      return { outcome: restored ? { restored } : { restored, ...reasonOf(more) } };
    }
    case 'decide': {
      const { validated, reason, key } = operation;
      return { outcome: { ...(await decideValidation(db, who, rego, { validated, reason }, key)) } };
    }
    case 'record': {
      const clock = { now: new Date(operation.at), key: operation.key, zone: services.config.timeZone };
      const answer = await recordCalibration(db, who, rego, entryOf(operation.reading), clock);
      return { outcome: answer.recorded ? { recorded: true, id: answer.id } : { ...answer } };
    }
    case 'correct': {
      const clock = {
        now: new Date(operation.at),
        key: operation.key,
        zone: services.config.timeZone,
      };
      const input = { ...entryOf(operation.reading), reason: operation.reason };
      return { outcome: { ...(await correctCalibration(db, who, { rego, id: operation.id }, input, clock)) } };
    }
  }
}

async function onPeople(services: Services, who: SignedIn, operation: PeopleOperation): Promise<Answer> {
  const { db } = services;
  const { email } = operation;
  switch (operation.do) {
    case 'request': {
      const { mark, key } = operation;
      const none = { company_name: 'Scales', abn: '', address: '', rep_name: '', rep_contact: '' };
      return {
        outcome: { ...(await requestRegistration(services, FROM, { ...none, email, trade_licence_num: mark }, key)) },
      };
    }
    case 'approve': {
      const answer = await approveApplication(services, who, email, { by: 'link' }, operation.key);
      return { outcome: 'decidedAt' in answer ? withoutTime(answer) : { ...answer } };
    }
    case 'turn down': {
      const answer = await deleteApplication(services, who, email, '', operation.key);
      return { outcome: 'decidedAt' in answer ? withoutTime(answer) : { ...answer } };
    }
    case 'remove technician':
      return { outcome: { ...(await removeTechnician(services, who, email, operation.key)) } };
    case 'suspend': {
      const { from, mark: reason, key } = operation;
      const answer = await suspendTechnician(services, who, email, { from, reason }, key);
      if ('suspension' in answer) {
        const { suspension, ...refusal } = answer;
        return { outcome: { ...refusal, ...suspension } };
      }
      if (!answer.decided) return { outcome: { ...answer } };
      const { id } = await db
        .selectFrom('suspension')
        .select('id')
        .where('reason', '=', reason)
        .orderBy('decidedAt', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      return { outcome: { ...answer }, id };
    }
    case 'lift': {
      const { from, id: suspension, key } = operation;
      return { outcome: { ...(await reinstateTechnician(services, who, email, { from, suspension }, key)) } };
    }
    case 'add admin': {
      const { mark, key } = operation;
      const none = { name: '', phone: '', address: '', role: '', dob: null, image: '' };
      return {
        outcome: { ...(await addAdmin(services, who, { ...none, email, password: PASSWORD, notes: mark }, key)) },
      };
    }
    case 'remove admin':
      return { outcome: { ...(await removeAdmin(db, who, email, operation.key)) } };
    case 'open profile': {
      const found = await findProfile(db, { role: 'admin', recordId: operation.recordId });
      if (found === undefined) return { outcome: { state: 'gone' } };
      return { outcome: { state: 'live', version: found.version, address: found.address } };
    }
    case 'update profile': {
      const { recordId, version, address, key } = operation;
      const known = { name: nameOf(email), phone: '', dob: null, gender: '', notes: email, image: '', role: '' };
      const target = { role: 'admin', recordId } as const;
      const entry = who.email === email ? PROFILE_UPDATED : ADMIN_UPDATED;
      const answer = await updateProfile(services, who, target, { ...known, version, address }, key, entry);
      if (answer.updated) return { outcome: { updated: true } };
      const now = 'now' in answer ? { version: answer.now.version, address: answer.now.address } : {};
      return { outcome: { updated: false, reason: answer.reason, ...now } };
    }
  }
}

/** What an admin of these histories is called. */
export const nameOf = (email: string): string => `Admin ${email.split('@')[0]}`;

const reasonOf = (more: object): Outcome => ('reason' in more ? { reason: String(more.reason) } : {});

function withoutTime<Answer extends { decidedAt: Date }>({ decidedAt: _when, ...answer }: Answer) {
  return answer;
}

export const shown = (vehicle: Vehicle): Outcome => ({
  mark: vehicle.make,
  version: vehicle.version,
  notes: vehicle.notes,
  dueOn: vehicle.nextCalibrationDueOn,
  validated: vehicle.calibrationValidated,
});

/** The vehicle form as it would come in. */
export function inputOf(form: {
  rego: string;
  mark: string;
  notes: string;
  validated: boolean;
  dueOn: string | null;
  version?: number;
}): VehicleInput {
  return vehicleSchema.parse({
    rego: form.rego,
    make: form.mark,
    notes: form.notes,
    next_calibration_due: form.dueOn ?? '',
    calibration_validated: form.validated ? 'yes' : 'no',
    version: form.version ?? 0,
  });
}

export const entryOf = ({ axle, attribute, value, dueOn }: Reading) => ({
  axle,
  attribute,
  value,
  due_date: dueOn,
  confirmed: true,
});
