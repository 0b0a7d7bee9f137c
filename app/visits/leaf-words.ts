// Codes of an entry of the public log in words: the entry itself, and anybody who verifies it, has the codes.
import { CHECKS } from '#app/policy/checks.ts';
import { DECISION_REASONS, VISIT_STATES } from './visit.ts';

const ANSWERS: Record<string, string> = { p: 'passed', f: 'failed', u: 'cannot be told' };
const RULES: Record<string, string> = { m: 'required', n: 'noted', must: 'required', noted: 'noted', off: 'off' };

/** The words for a field's value; the value itself where it is no code. */
export function leafWords(field: string, value: string): string {
  if (field === 'checks') return value.split(' ').map(checkWords).join(' · ');
  if (field === 'visitState') return VISIT_STATES.find(({ state }) => state === value)?.word ?? value;
  if (field === 'reason') return DECISION_REASONS.find(({ reason }) => reason === value)?.words ?? value;
  return value;
}

// Of a visit 'complete:pm' (`checksText`), of the rules 'complete:must'.
function checkWords(text: string): string {
  const [code = '', said = ''] = text.split(':');
  const name = CHECKS.find(({ check }) => check === code)?.name ?? code;
  const answer = said.length === 2 ? ANSWERS[said.charAt(0)] : undefined;
  const rule = RULES[answer === undefined ? said : said.charAt(1)] ?? said;
  return answer === undefined ? `${name}: ${rule}` : `${name}: ${answer} (${rule})`;
}
