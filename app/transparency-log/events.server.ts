// The trade's events as leaves: what each says in clear, and which records it covers.
import type { LeafEvent, Origin } from './draft-leaf.server.ts';
import type { Body } from '#app/tlog/leaf-body.ts';
import type { LeafType } from '#app/tlog/leaf.ts';
import type { RecordRef } from './record-snapshot.server.ts';

type VehicleEvent = Extract<LeafType, `vehicle.${string}`>;
export type LoggedVehicle = { id: string; rego: string };
type VehicleState = { calibrationValidated: boolean; nextCalibrationDueOn: string | null };

const vehicleRef = ({ id }: LoggedVehicle): RecordRef => ({ table: 'vehicle', key: id });

/** Something happened to a vehicle's record; `state` is as it was left. */
export function vehicleEvent(
  type: VehicleEvent,
  vehicle: LoggedVehicle,
  { calibrationValidated: validated, nextCalibrationDueOn }: VehicleState,
  origin: Origin = 'recorded',
): LeafEvent {
  return {
    type,
    origin,
    vehicle,
    body: { validated, ...dueOf(nextCalibrationDueOn) },
    records: [vehicleRef(vehicle)],
  };
}

export type LoggedReading = {
  id: number;
  axle: string;
  attribute: string;
  value: string;
  unit: string;
  dueOn: string | null;
  calibratedAt: Date;
};

/** A reading was recorded, or corrects the one whose leaf is `corrects`; `moved`: it changed the vehicle's due date too. */
export function readingEvent(
  vehicle: LoggedVehicle,
  reading: LoggedReading,
  technician: string | null,
  more: { corrects?: number; moved?: boolean; origin?: Origin } = {},
): LeafEvent {
  const { id, axle, attribute, value, unit, dueOn, calibratedAt } = reading;
  const { corrects, moved = false, origin = 'recorded' } = more;
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
      // The day in UTC, as is the leaf's own time: what is compared with it.
      calibratedOn: calibratedAt.toISOString().slice(0, 10),
      ...dueOf(dueOn),
      ...(corrects === undefined ? {} : { corrects }),
    },
    ...(technician === null ? {} : { people: { technician } }),
    records: [{ table: 'calibration', key: `${vehicle.rego}/${id}` }, ...(moved ? [vehicleRef(vehicle)] : [])],
  };
}

/** A visit was recorded, of which each reading has its own event; `moved`: it changed the vehicle's due date too. */
export function calibrationSetEvent(
  vehicle: LoggedVehicle,
  { id, visitedAt, dueOn }: { id: string; visitedAt: Date; dueOn: string | null },
  technician: string,
  { moved }: { moved: boolean },
): LeafEvent {
  return {
    type: 'calibration-set.recorded',
    vehicle,
    body: { calibratedOn: visitedAt.toISOString().slice(0, 10), ...dueOf(dueOn) },
    people: { technician },
    records: [{ table: 'calibration_set', key: id }, ...(moved ? [vehicleRef(vehicle)] : [])],
  };
}

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
  type: 'technician.approved' | 'technician.removed',
  { id, name }: { id: string; name: string },
  origin: Origin = 'recorded',
): LeafEvent {
  return { type, origin, body: {}, people: { technician: name }, records: [{ table: 'technician', key: id }] };
}

export type LoggedPolicy = {
  version: number;
  intervalDays: number;
  dueSoonDays: number;
  tolerancePerMille: number;
  toleranceKg: number;
};

/** The registry's policy was changed. All that it says is in clear: anyone can prove which rules held when. */
export function policyEvent(policy: LoggedPolicy): LeafEvent {
  return {
    type: 'policy.changed',
    body: {
      policyVersion: policy.version,
      intervalDays: policy.intervalDays,
      dueSoonDays: policy.dueSoonDays,
      tolerancePerMille: policy.tolerancePerMille,
      toleranceKg: policy.toleranceKg,
    },
    records: [{ table: 'policy', key: String(policy.version) }],
  };
}

const dueOf = (nextDueOn: string | null): Pick<Body, 'nextDueOn'> => (nextDueOn === null ? {} : { nextDueOn });
