import type { LeafType } from './leaf.ts';

/** What each entry of the log says, in words. */
export const LEAF_WORDS = {
  'vehicle.registered': 'A vehicle was registered',
  'vehicle.updated': 'A vehicle’s record was changed',
  'vehicle.deleted': 'A vehicle was removed',
  'vehicle.restored': 'A removed vehicle was restored',
  'calibration.recorded': 'A calibration was recorded',
  'calibration-set.recorded': 'A visit was recorded: its calibrations stand beside it',
  'calibration.corrected': 'A calibration was corrected',
  'calibration.validated': 'A calibration was validated',
  'calibration.unvalidated': 'A validation was withdrawn',
  'certificate.added': 'A certificate was added',
  'certificate.removed': 'A certificate was removed',
  'technician.approved': 'A technician was approved',
  'technician.removed': 'A technician was removed',
  'policy.changed': 'The registry’s policy was changed',
  redaction: 'Personal data behind an earlier entry were erased',
  'log.key': 'The log began: its key was announced',
} as const satisfies Record<LeafType, string>;
