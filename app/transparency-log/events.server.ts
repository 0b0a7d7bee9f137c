// The trade's events as leaves: what each says in clear, and which records it covers.
import type { StaffRole } from '#database/people-tables.ts';
import type { LeafEvent, Origin } from './draft-leaf.server.ts';
import type { Body } from '#app/tlog/leaf-body.ts';
import type { LeafType } from '#app/tlog/leaf.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { RecordRef } from './record-snapshot.server.ts';

type VehicleEvent = Extract<LeafType, `vehicle.${string}`>;
export type LoggedVehicle = { id: string; rego: string };
type VehicleState = { calibrationValidated: boolean; nextCalibrationDueOn: string | null };

const vehicleRef = ({ id }: LoggedVehicle): RecordRef => ({ table: 'vehicle', key: id });

/** Something happened to a vehicle's record; `state` is as it was left. */
export function vehicleEvent(
  type: VehicleEvent,
  vehicle: LoggedVehicle,
  { calibrationValidated: validated, nextCalibrationDueOn, origin = 'recorded' }: { origin?: Origin } & VehicleState,
): LeafEvent {
  return {
    type,
    origin,
    vehicle,
    body: { validated, ...dueOf(nextCalibrationDueOn) },
    records: [vehicleRef(vehicle)],
  };
}

/**
 * A vehicle has another plate from `on` on. `plateId`: of the row of the one before. The texts stand in what the entry
 * commits to.
 */
export function replatedEvent(
  vehicle: LoggedVehicle & VehicleState,
  { plateId, on, state, before, why }: { plateId: number; on: string; state: string; before: string; why: string },
): LeafEvent {
  const { body, records, ...event } = vehicleEvent('vehicle.replated', vehicle, vehicle);
  return {
    ...event,
    body: { ...body, platedOn: on, plateState: state, plateStateBefore: before, plateWhy: why },
    records: [{ table: 'former_plate', key: String(plateId) }, ...records],
  };
}

/** The record of join `id` was closed on `on`, and belongs to `kept`. `plate`: the row of its last plate. */
export const joinedEvent = (
  kept: LoggedVehicle & VehicleState,
  { id, on, plate }: { id: string; on: string; plate: { id: number; state: string } },
): LeafEvent => {
  const { body, records, ...event } = vehicleEvent('vehicle.joined', kept, kept);
  return {
    ...event,
    body: { ...body, platedOn: on, plateStateBefore: plate.state, plateWhy: 'joined' },
    records: [{ table: 'joined_record', key: id }, { table: 'former_plate', key: String(plate.id) }, ...records],
  };
};

/** The join `id` was undone. */
export const partedEvent = (kept: LoggedVehicle & VehicleState, id: string): LeafEvent => {
  const { records, ...event } = vehicleEvent('vehicle.parted', kept, kept);
  return { ...event, records: [{ table: 'joined_record', key: id }, ...records] };
};

export type LoggedReading = {
  id: number;
  axle: string;
  attribute: string;
  value: string;
  unit: string;
  dueOn: string | null;
  calibratedAt: Date;
};

/** What a leaf says and covers beside its own record: of the visit that it opens or closes, and of the vehicle. */
export type AlsoLogged = { body?: Body; records?: readonly RecordRef[] };

/** A reading was recorded, or corrects the one whose leaf is `corrects`. */
export function readingEvent(
  vehicle: LoggedVehicle,
  reading: LoggedReading,
  {
    technician,
    more = {},
  }: {
    technician: string | null;
    more?: { corrects?: number; origin?: Origin; zone?: string | undefined } & AlsoLogged;
  },
): LeafEvent {
  const { id, axle, attribute, value, unit, dueOn, calibratedAt } = reading;
  const { corrects, origin = 'recorded', zone, body = {}, records = [] } = more;
  return {
    type: corrects === undefined ? 'calibration.recorded' : 'calibration.corrected',
    origin,
    vehicle,
    body: {
      calibration: id,
      axle,
      attribute,
      value,
      unit,
      ...dayOf(calibratedAt, zone),
      ...dueOf(dueOn),
      ...(corrects === undefined ? {} : { corrects }),
      ...body,
    },
    ...(technician === null ? {} : { people: { technician } }),
    records: [{ table: 'calibration', key: `${vehicle.rego}/${id}` }, ...records],
  };
}

// Without a zone the day is in UTC: of imported readings, and as leaves from before said it.
const dayOf = (at: Date, zone: string | undefined): Body =>
  zone === undefined ? { calibratedOn: todayIn('UTC', at) } : { calibratedOn: todayIn(zone, at), zone };

/** A visit was recorded, of which each reading has its own event. */
export function calibrationSetEvent(
  vehicle: LoggedVehicle,
  { id, visitedAt, dueOn }: { id: string; visitedAt: Date; dueOn: string | null },
  { technician, zone, body = {}, records = [] }: { technician: string } & AlsoLogged & { zone: string },
): LeafEvent {
  return {
    type: 'calibration-set.recorded',
    vehicle,
    body: { ...dayOf(visitedAt, zone), ...dueOf(dueOn), ...body },
    people: { technician },
    records: [{ table: 'calibration_set', key: id }, ...records],
  };
}

/** A visit was closed, decided, matched, held or reinstated, or its photo hidden or shown: what it became. */
export const visitEvent = (
  type: Extract<LeafType, `visit.${string}` | `photo.${string}`>,
  vehicle: LoggedVehicle,
  { body, records }: { body: Body; records: readonly RecordRef[] },
): LeafEvent => ({ type, vehicle, body, records });

/** A check visit is wanted, or ended. Whether it was drawn or asked for is not in clear. */
export const checkVisitEvent = (
  type: Extract<LeafType, `check-visit.${string}`>,
  vehicle: LoggedVehicle,
  { id, visitId, untilOn, closedBy, result }: LoggedCheckVisit,
): LeafEvent => ({
  type,
  vehicle,
  body: {
    visit: visitId,
    wantedUntil: untilOn,
    ...(closedBy === null || result === null ? {} : { checkedBy: closedBy, checkResult: result }),
  },
  records: [{ table: 'check_visit', key: id }],
});

export type LoggedCheckVisit = {
  id: string;
  visitId: string;
  untilOn: string;
  closedBy: string | null;
  result: string | null;
};

/** A report that a record is wrong was opened, or decided. Nothing of who sent it, and none of its words. */
export const reportEvent = (
  type: Extract<LeafType, `report.${string}`>,
  { id, kind, visitId, referenceId }: { id: string; kind: string; visitId: string | null; referenceId: string | null },
  { vehicle, day, decision }: { vehicle?: LoggedVehicle | undefined; day: string; decision?: string },
): LeafEvent => ({
  type,
  ...(vehicle === undefined ? {} : { vehicle }),
  body: {
    reported: kind,
    reportDay: day,
    ...(decision === undefined ? {} : { reportDecision: decision }),
    ...(visitId === null ? {} : { visit: visitId }),
    ...(referenceId === null ? {} : { reference: referenceId }),
  },
  records: [{ table: 'wrong_report', key: id }],
});

/** An admin set the due date by hand; `records`: the visit that rules, and what was taken over with it. */
export const dueByHandEvent = (
  vehicle: LoggedVehicle,
  nextDueOn: string,
  records: readonly RecordRef[],
): LeafEvent => ({
  type: 'due.set-by-hand',
  vehicle,
  body: { nextDueOn },
  records: [...records, vehicleRef(vehicle)],
});

/** An admin decided on 'calibration validated' or on the due date beside it. */
export function validationEvent(
  vehicle: LoggedVehicle,
  { id, validated, nextDueOn }: { id: number; validated: boolean; nextDueOn: string | null },
  origin: Origin = 'recorded',
): LeafEvent {
  return {
    type: validated ? 'calibration.validated' : 'calibration.unvalidated',
    origin,
    vehicle,
    body: { validated, ...dueOf(nextDueOn) },
    records: [{ table: 'validation', key: String(id) }, vehicleRef(vehicle)],
  };
}

/** A certificate was added, or its link ended; `content` is the hash of its bytes, or where it lies. */
export function certificateEvent(
  vehicle: LoggedVehicle,
  { id, content, removed }: { id: string; content: string; removed: boolean },
  origin: Origin = 'recorded',
): LeafEvent {
  return {
    type: removed ? 'certificate.removed' : 'certificate.added',
    origin,
    vehicle,
    body: { use: 'certificate' },
    certificate: content,
    records: [{ table: 'vehicle_file', key: id }],
  };
}

export function technicianEvent(
  type: 'technician.approved' | 'technician.removed' | 'technician.updated',
  { id, name }: { id: string; name: string },
  origin: Origin = 'recorded',
): LeafEvent {
  return { type, origin, body: {}, people: { technician: name }, records: [{ table: 'technician', key: id }] };
}

/** An admin was added or removed, or is one from now on who was a technician before. Who that is, is a commitment. */
export const adminEvent = (
  type: 'admin.added' | 'admin.removed',
  { id, name }: { id: string; name: string },
  origin: Origin = 'recorded',
): LeafEvent => ({ type, origin, body: {}, people: { admin: name }, records: [{ table: 'admin', key: id }] });

/** The leaves of one of the office who was added or removed. */
export const staffEvents = (
  role: StaffRole,
  what: 'added' | 'removed',
  person: { id: string; name: string },
): LeafEvent[] => (role === 'admin' ? [adminEvent(`admin.${what}`, person)] : []);

/** A technician is suspended from `day` on, or is no longer. Who that is, is a commitment; the day is in clear. */
export function suspensionEvent(
  type: 'technician.suspended' | 'technician.reinstated',
  technician: { id: string; name: string },
  { id, day }: { id: string; day: string },
): LeafEvent {
  return {
    type,
    body: type === 'technician.suspended' ? { suspendedFrom: day } : { reinstatedFrom: day },
    people: { technician: technician.name },
    records: [
      { table: 'technician', key: technician.id },
      { table: 'suspension', key: id },
    ],
  };
}

const dueOf = (nextDueOn: string | null): Pick<Body, 'nextDueOn'> => (nextDueOn === null ? {} : { nextDueOn });
