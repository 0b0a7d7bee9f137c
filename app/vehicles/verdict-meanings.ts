import type { Verdict } from './verdict-table.ts';

/** The meaning of each verdict in a short sentence. */
export const VERDICT_MEANINGS: Record<Verdict, string> = {
  valid: 'Calibrated, validated, and not yet due again.',
  'due-soon': 'Still valid today. Due again within 30 days.',
  overdue: 'The due date has passed.',
  'not-validated': 'Calibrations are recorded, but not validated, or none counts.',
  'never-calibrated': 'No calibration is recorded.',
};
