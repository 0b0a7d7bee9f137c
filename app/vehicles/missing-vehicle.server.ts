// Why a page about a vehicle cannot be shown: no such rego, nobody has it, or it was removed.
import { data } from 'react-router';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { MissingVehicle } from './missing-vehicle.tsx';
import { nearText } from './near-regos.server.ts';
import type { FoundVehicle } from './queries.server.ts';
import { parseRego } from './vehicle.ts';

/** The normalised rego of an address; throws a 404 if it is none. */
export function regoOf(text: string): string {
  const parsed = parseRego(text);
  if (parsed.ok) return parsed.rego;
  throw notFound({ kind: 'no-rego', sentence: parsed.message });
}

/** The same for the forms about a vehicle: the page of their 404 says nothing of regos. */
export function regoOfForm(text: string): string {
  const parsed = parseRego(text);
  if (parsed.ok) return parsed.rego;
  throw notFound(null);
}

const notFound = (missing: MissingVehicle | null) => data(missing, { status: 404, statusText: 'Not Found' });

/** What to throw for a vehicle that is not there. */
export async function missingVehicle(
  { db, config }: Services,
  rego: string,
  found: Exclude<FoundVehicle, { state: 'live' }>,
) {
  if (found.state === 'unknown') return notFound({ kind: 'unknown', rego, near: await nearText(db, rego) });
  const on = formatDay(todayIn(config.timeZone, found.removedAt));
  return data({ kind: 'removed', rego, on } satisfies MissingVehicle, { status: 410, statusText: 'Gone' });
}
