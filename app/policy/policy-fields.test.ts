import { expect, test } from 'vitest';
import { policyInput } from '#test/policy.ts';
import { rulesIn } from './policy-entry.ts';
import { isLoosening, policyChanges, policyFacts } from './policy-fields.ts';
import { FIRST_POLICY } from './policy.ts';

test.each([
  [{ check_agrees: 'noted' }, true],
  [{ check_agrees: 'off' }, true],
  [{ check_photo: 'off' }, true],
  [{ check_photo: 'must' }, false],
  [{ check_photo: 'must', check_ticket: 'off' }, true],
  [{ longest_interval_days: '367' }, true],
  [{ longest_interval_days: '365' }, false],
  [{ prompt_days: '8' }, true],
  [{ prompt_days: '6' }, false],
  [{ every_visit_waits: 'yes' }, false],
  [{ tolerance_percent: '2.1' }, true],
  [{ tolerance_percent: '1.9', tolerance_kg: '501' }, true],
  [{ tolerance_percent: '1.9', tolerance_kg: '499' }, false],
  [{ interval_days: '366' }, false],
  [{ interval_days: '90' }, false],
  [{ due_soon_days: '10' }, false],
  [{ due_soon_days: '60' }, false],
])('%j loosens the rules: %j', (more, expected) => {
  expect(isLoosening(FIRST_POLICY, rulesIn(policyInput(FIRST_POLICY, more)))).toBe(expected);
});

test('not to look at every visit any more loosens the rules', () => {
  const strict = { ...FIRST_POLICY, everyVisitWaits: true };
  expect(isLoosening(strict, FIRST_POLICY)).toBe(true);
  expect(policyChanges(strict, FIRST_POLICY)).toEqual([
    { field: 'every_visit_waits', label: 'Every visit waits', from: 'yes', to: 'no' },
  ]);
});

test('the rules in words', () => {
  expect(policyFacts({ ...FIRST_POLICY, promptDays: 0 }).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Default interval: 182 days',
    'Longest interval: 366 days',
    'Due soon: within 30 days',
    'Agreement tolerance: 2\u00a0% or 500\u00a0kg, whichever is larger',
    'Prompt: on the day of the visit',
    'Every visit: counts by itself if it passes its checks',
    'Must be passed: Complete, Within the interval, This truck, Prompt, Plausible, Agrees, Technician in good standing',
    'Noted only: Loaded enough, Weighed on a verified reference, Ticket, Photo',
  ]);
});
