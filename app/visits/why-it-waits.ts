// Why a visit waits for an administrator, or does not count, in sentences that anyone may read: every page, list, mail
// and answer takes its words from here.
import type { CheckName } from '#app/policy/policy.ts';
import { checkName, heldBackBy } from './visit-checks.ts';
import type { CheckResult } from './visit-facts.ts';
import type { VisitState } from './visit.ts';

/** `check`: null where no check holds it back. `advice`: what its technician can do; '' where that is nothing. */
export type HeldBy = { check: CheckName | null; name: string; sentence: string; advice: string };

export function whyItWaits({
  checks,
  state,
  isStretched = false,
}: {
  checks: readonly CheckResult[];
  state: VisitState;
  isStretched?: boolean;
}): HeldBy[] {
  const held = heldBackBy(checks);
  const reasons: HeldBy[] = checks
    .filter(({ check }) => held.includes(check))
    .map(({ check, answer, sentence }) => ({
      check,
      name: checkName(check),
      sentence,
      advice: adviceFor(check, answer),
    }));
  if (isStretched) reasons.push(LATE_CORRECTION);
  return reasons.length === 0 && state === 'waits' ? [EVERY_VISIT] : reasons;
}

const LATE_CORRECTION: HeldBy = {
  check: null,
  name: 'Late correction',
  sentence: 'A late correction moved its due date later.',
  advice: '',
};
const EVERY_VISIT: HeldBy = {
  check: null,
  name: 'Every visit waits',
  sentence: 'The rules want each visit looked at.',
  advice: '',
};

const ADVICE: Record<CheckName, string> = {
  complete: 'Record the missing readings.',
  interval: 'Give a due date.',
  truck: 'Confirm rego and VIN on the truck, and check the VIN of the record.',
  prompt: 'Check the date of the visit.',
  plausible: 'Check the readings.',
  agrees:
    'Check the readings. As-found readings explain up to twice the limit. What you say about the sensor or the trailer an administrator looks at: write it in the notes.',
  standing: '',
  load: 'Weigh the truck with a heavier load.',
  reference: 'Choose a weighbridge of the register.',
  ticket: 'Give the number of the ticket.',
  photo: 'Add a photo.',
  gross: 'Check the weighings against their tickets.',
  seals: 'Say why the seal changed.',
};

const adviceFor = (check: CheckName, answer: CheckResult['answer']): string =>
  check === 'complete' && answer === 'cannot be told'
    ? 'Say on the vehicle’s record which axle groups carry a sensor.'
    : ADVICE[check];
