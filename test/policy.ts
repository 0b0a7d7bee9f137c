// The policy's form, filled in.
import { policySchema, type PolicyInput } from '#app/policy/policy-entry.ts';
import { textsOf } from '#app/policy/policy-fields.ts';
import type { Policy } from '#app/policy/policy.ts';

/** The fields as the form sends them, opened with `now`. */
export const policyTexts = (now: Policy, more: Record<string, string> = {}): Record<string, string> => ({
  ...textsOf(now),
  reason: '',
  version: String(now.version),
  ...more,
});

export const policyInput = (now: Policy, more?: Record<string, string>): PolicyInput =>
  policySchema.parse(policyTexts(now, more));
