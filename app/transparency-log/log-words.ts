import type { BodyField } from '#app/tlog/leaf-body.ts';
import type { Leaf, LeafType } from '#app/tlog/leaf.ts';

export const LEAF_WORDS = {
  'vehicle.registered': 'A vehicle was registered',
  'vehicle.updated': 'A vehicle’s record was changed',
  'vehicle.deleted': 'A vehicle was removed',
  'vehicle.restored': 'A removed vehicle was restored',
  'calibration.recorded': 'A calibration was recorded',
  'calibration-set.recorded': 'A visit was recorded; each of its readings is an entry of its own',
  'calibration.corrected': 'A calibration was corrected',
  'calibration.validated': 'A calibration was validated',
  'calibration.unvalidated': 'A validation was withdrawn',
  'certificate.added': 'A certificate was added',
  'certificate.removed': 'A certificate was removed',
  'technician.approved': 'A technician was approved',
  'technician.removed': 'A technician was removed',
  'policy.changed': 'The registry’s rules were changed',
  redaction: 'Personal data behind an earlier entry were erased',
  'log.key': 'The log began: its key was announced',
} as const satisfies Record<LeafType, string>;

export const ORIGIN_WORDS = {
  recorded: 'Recorded in this registry',
  imported: 'Imported from the former register',
  'before-log': 'Recorded here before the log began',
} as const satisfies Record<Leaf['origin'], string>;

/** What an entry says in clear, in the order in which it is shown. */
export const BODY_WORDS = {
  axle: 'Axle',
  attribute: 'Attribute',
  value: 'Value',
  unit: 'Unit',
  calibration: 'Calibration number',
  calibratedOn: 'Calibrated on',
  nextDueOn: 'Next due',
  validated: 'Validated',
  use: 'File',
  position: 'Place among the files',
  corrects: 'Corrects entry',
  redacts: 'Data erased behind entry',
  erased: 'Fields erased',
  policyVersion: 'Rules version',
  intervalDays: 'Suggested interval, days',
  dueSoonDays: 'Due soon, days',
  tolerancePerMille: 'Tolerance, per mille',
  toleranceKg: 'Tolerance, kg',
  key: 'Key',
  succeeds: 'Continues the log',
} as const satisfies Record<BodyField, string>;
