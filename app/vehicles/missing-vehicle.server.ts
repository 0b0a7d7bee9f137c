// Why a page about a vehicle cannot be shown: no such rego, nobody has it, or it was removed.
import { data, redirect } from 'react-router';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { MissingVehicle } from './missing-vehicle.tsx';
import { askOf, nearText } from './near-regos.server.ts';
import type { FoundVehicle } from './queries.server.ts';
import { findFormers, listOthers } from './plates.server.ts';
import { stateName } from './plates.ts';
import { readPresentRego, readRego } from './read-rego.server.ts';
import { knownVin, normaliseSearch } from './vehicle.ts';

/** The normalised rego of an address, without a state that is no part of it; throws a 404 if it is none. */
export async function regoOf(db: Db, text: string): Promise<string> {
  const parsed = await readRego(db, text);
  if (parsed.ok) return parsed.rego;
  throw notFound({ kind: 'no-rego', sentence: parsed.message });
}

/** The same of the page about a vehicle. `state`: that of its query. Of a text that several have, it asks which. */
export async function regoOfPage(db: Db, text: string, state: string | null): Promise<string> {
  const parsed = await readRego(db, state === null ? text : `${text} ${state}`);
  if (!parsed.ok) throw notFound({ kind: 'no-rego', sentence: parsed.message });
  if (parsed.several !== undefined) throw await whichVehicle(db, parsed.rego, parsed.several);
  return parsed.rego;
}

/**
 * The same for the forms about a vehicle: the page of their 404 says nothing of regos. They follow the truck to the
 * plate that it has now.
 */
export async function regoOfForm(db: Db, text: string): Promise<string> {
  const parsed = await readPresentRego(db, text);
  if (parsed.ok) return parsed.rego;
  throw notFound(null);
}

/** The status of the redirect from an address with `text` to that of `rego`: a plate may be added with the state. */
export const movedStatus = (text: string, rego: string): 301 | 302 => (normaliseSearch(text) === rego ? 301 : 302);

type Missing = Exclude<FoundVehicle, { state: 'live' }>;

const notFound = (missing: MissingVehicle | null) => data(missing, { status: 404, statusText: 'Not Found' });

// No verdict: nobody must read the wrong one.
async function whichVehicle(db: Db, text: string, regos: readonly string[]) {
  const vehicles = await db
    .selectFrom('vehicle')
    .select(['id', 'rego', 'plateState', 'make', 'model', 'vin'])
    .where('rego', 'in', [...regos])
    .where('deletedAt', 'is', null)
    .orderBy('rego')
    .execute();
  const ids = vehicles.map(({ id }) => id);
  const [first] = ids;
  const others = first === undefined ? [] : await listOthers(db, { id: first, rego: text });
  const count = vehicles.length === 2 ? 'Two' : String(vehicles.length);
  const missing: MissingVehicle = {
    kind: 'several',
    rego: text,
    title: `${count} trucks carry ${text}`,
    sentence: 'Look at the state on the plate in front of you.',
    vehicles: vehicles.map(({ plateState: state, make, model, vin }) => ({
      state,
      words: [stateName(state), [make, model].filter(Boolean).join(' '), `VIN ${knownVin(vin) || 'N/A'}`].filter(
        Boolean,
      ),
    })),
    foot: [
      'Not sure? Compare the VIN. No verdict stands here, so that nobody reads the wrong one.',
      ...others
        .filter((other) => !ids.includes(other.id))
        .map(({ rego, untilOn }) => `${text} was also the plate of ${rego} until ${formatDay(untilOn)}.`),
    ],
  };
  return data(missing, { status: 300, statusText: 'Multiple Choices' });
}

/**
 * What to throw for a vehicle that is not there. `addressOf`: of a page to which a plate leads that the truck had
 * before and nobody has now.
 */
export async function missingVehicle(
  { db, config }: Services,
  { rego, found, addressOf }: { rego: string; found: Missing; addressOf: (now: string) => string },
) {
  const former = (await findFormers(db, [rego])).get(rego);
  // Somebody else may get the plate: no browser keeps where it leads.
  if (former !== undefined)
    return redirect(addressOf(former.now), { status: 301, headers: { 'cache-control': 'no-cache' } });
  if (found.state === 'unknown')
    return notFound({ kind: 'unknown', rego, near: await nearText(db, rego), ask: askOf(rego) });
  const on = formatDay(todayIn(config.timeZone, found.removedAt));
  return data({ kind: 'removed', rego, on } satisfies MissingVehicle, { status: 410, statusText: 'Gone' });
}
