// Why a page about a vehicle cannot be shown: no such rego, nobody has it, or it was removed.
import { data } from 'react-router';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { MissingVehicle } from './missing-vehicle.tsx';
import { nearText } from './near-regos.server.ts';
import type { FoundVehicle } from './queries.server.ts';
import { readRego } from './read-rego.server.ts';
import { normaliseSearch } from './vehicle.ts';

/** The normalised rego of an address, without a state that is no part of it; throws a 404 if it is none. */
export async function regoOf(db: Db, text: string): Promise<string> {
  const parsed = await readRego(db, text);
  if (parsed.ok) return parsed.rego;
  throw notFound({ kind: 'no-rego', sentence: parsed.message });
}

/** The same for the forms about a vehicle: the page of their 404 says nothing of regos. */
export async function regoOfForm(db: Db, text: string): Promise<string> {
  const parsed = await readRego(db, text);
  if (parsed.ok) return parsed.rego;
  throw notFound(null);
}

/** The status of the redirect from an address with `text` to that of `rego`: a plate may be added with the state. */
export const movedStatus = (text: string, rego: string): 301 | 302 => (normaliseSearch(text) === rego ? 301 : 302);

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
