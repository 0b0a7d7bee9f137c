// The checks that a visit is held against, for pages that name them. `visits/visit-checks.ts` makes them.
import type { CheckName } from './policy.ts';

/** `question` is what the page asks of the visit. `unknownHolds`: 'cannot be told' holds it back as 'failed' does. */
export const CHECKS = [
  { check: 'complete', name: 'Complete', question: 'Has each axle group its four readings?', unknownHolds: true },
  { check: 'interval', name: 'Within the interval', question: 'Is the next one due in time?', unknownHolds: true },
  { check: 'truck', name: 'This truck', question: 'Is it certain which truck was read?', unknownHolds: true },
  { check: 'prompt', name: 'Prompt', question: 'Was it recorded soon after the visit?' },
  { check: 'plausible', name: 'Plausible', question: 'Can the readings be right?' },
  { check: 'agrees', name: 'Agrees', question: 'Does it agree with the calibrations before?' },
  { check: 'standing', name: 'Technician in good standing', question: 'May the technician calibrate?' },
  { check: 'load', name: 'Loaded enough', question: 'Was the truck loaded enough?' },
  { check: 'reference', name: 'Weighed on a verified reference', question: 'Is the weighbridge verified?' },
  { check: 'ticket', name: 'Ticket', question: 'Is there a weighbridge ticket of its own?' },
  { check: 'photo', name: 'Photo', question: 'Is there a photo of its own?' },
  { check: 'gross', name: 'Gross check', question: 'Do the weighings agree with the ticket of the whole?' },
  { check: 'seals', name: 'Seals', question: 'Are the seals found those that were left?' },
] as const satisfies readonly { check: CheckName; name: string; question: string; unknownHolds?: true }[];

/** A visit must pass these, whatever the policy. */
export const ALWAYS_MUST = ['complete', 'interval'] as const satisfies readonly CheckName[];
