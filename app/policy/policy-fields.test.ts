import { expect, test } from 'vitest';
import { policyInput, policyTexts } from '#test/policy.ts';
import { policySchema, rulesIn } from './policy-entry.ts';
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
  [{ check_visits_percent: '2.5' }, false],
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

test('to draw fewer visits for a check visit loosens the rules', () => {
  const drawing = { ...FIRST_POLICY, checkVisitsPerMille: 25 };
  expect(isLoosening(drawing, { ...drawing, checkVisitsPerMille: 24 })).toBe(true);
  expect(isLoosening(drawing, { ...drawing, checkVisitsPerMille: 26 })).toBe(false);
  expect(policyChanges(FIRST_POLICY, drawing)).toEqual([
    { field: 'check_visits_percent', label: 'Drawn for a check visit, %', from: '0', to: '2.5' },
  ]);
  expect(policyFacts(drawing)).toContainEqual({
    label: 'Check visits',
    value: '2.5\u00a0% of the visits that count are drawn at random',
  });
});

test.each([
  ['0', 0],
  ['2.5 %', 25],
  ['100', 1000],
  ['100.1', undefined],
  ['0.05', undefined],
  ['', undefined],
])('a share of %j is %j per mille', (check_visits_percent, expected) => {
  const parsed = policySchema.safeParse({ ...policyTexts(FIRST_POLICY), check_visits_percent });
  expect(parsed.data?.check_visits_percent).toBe(expected);
});

test('the rules in words', () => {
  expect(policyFacts({ ...FIRST_POLICY, promptDays: 0 }).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Default interval: 182 days',
    'Longest interval: 366 days',
    'Due soon: within 30 days',
    'Agreement tolerance: 2\u00a0% or 500\u00a0kg, whichever is larger',
    'Prompt: on the day of the visit',
    'Every visit: counts by itself if it passes its checks',
    'Check visits: none are drawn at random',
    'Assumed interval e: 20\u00a0kg, of a weighbridge of which it is not known',
    'Must be passed: Complete, Within the interval, This truck, Prompt, Plausible, Agrees, Technician in good standing',
    'Noted only: Loaded enough, Weighed on a verified reference, Ticket, Photo, Gross check, Seals',
  ]);
});
