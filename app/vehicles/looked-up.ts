// The trucks that were looked up last in this browser. It keeps them itself, for the time without reception (/field); nothing is sent.
import type { Verdict } from './verdict.ts';

/** `asAt`: by the registry's clock, ISO 8601. `verdict` is null where the record did not match the log. */
export type LookedUp = { rego: string; verdict: Verdict | null; dueOn: string | null; asAt: string };

const KEY = 'looked up';
const MOST = 20;

/** Where the browser allows no storage, or it is full, nothing is kept. */
export function noteLookedUp(one: LookedUp): void {
  try {
    const others = readLookedUp().filter(({ rego }) => rego !== one.rego);
    localStorage.setItem(KEY, JSON.stringify([one, ...others].slice(0, MOST)));
  } catch {
    // Then the page works as it did.
  }
}

/** The last one first. */
export function readLookedUp(): LookedUp[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isLookedUp) : [];
  } catch {
    return [];
  }
}

const isLookedUp = (one: unknown): one is LookedUp =>
  typeof one === 'object' && one !== null && 'rego' in one && 'verdict' in one && 'dueOn' in one && 'asAt' in one;
