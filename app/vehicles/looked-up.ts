// The trucks that were looked up last in this browser. It keeps them itself, for the time without reception (/field);
// nothing is sent.
import type { Verdict } from './verdict-table.ts';

/**
 * `verdict` is null where the record did not match the log. `nextDue`, `asAt`: as the page shows them. `seenAt`: by
 * this device's clock, ISO 8601.
 */
export type LookedUp = {
  rego: string;
  verdict: Verdict | null;
  nextDue: string | null;
  asAt: string;
  seenAt: string;
};

const KEY = 'looked up';
const MOST = 20;

/** Where the browser allows no storage, or it is full, nothing is kept. */
export function noteLookedUp(page: Omit<LookedUp, 'seenAt'>): void {
  try {
    const others = readLookedUp().filter(({ rego }) => rego !== page.rego);
    const one: LookedUp = { ...page, seenAt: new Date().toISOString() };
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
  typeof one === 'object' && one !== null && 'rego' in one && 'verdict' in one && 'seenAt' in one;
