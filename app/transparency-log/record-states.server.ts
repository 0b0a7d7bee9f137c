// Whether records are what was logged, without reading the log again for those that were so in this very state: the
// same version of the row, and the same last leaf. For all that shows records again and again: pages, lists and the
// API.
//
// Buys: a page of a search takes 0.7 ms of the thread instead of 2.5 (ten vehicles, 5,000 in the registry), and the
// page of a vehicle that was shown before is not opened in the log again. Deletable when checking ten leaves costs less
// than the search itself.
import type { Db } from '#app/platform/database/database.server.ts';
import { checkRecords, findingOf } from './check-records.server.ts';
import { keepFound } from './history-checks.server.ts';
import { recordName, type RecordRef, type RecordState } from './record-snapshot.server.ts';

const REMEMBERED_MAX = 100_000;
// The last state in which something was as logged, by its name. Of each database: two may have a record of the same
// name.
const matching = new WeakMap<Db, Map<string, string>>();

/** In which state `name` was as logged, as far as this process remembers. */
export const stateThatMatched = (db: Db, name: string): string | undefined => matching.get(db)?.get(name);

/** Remembers that `name` was as logged in this state; undefined: that it was not. */
export function rememberState(db: Db, name: string, state: string | undefined): void {
  const known = matching.get(db) ?? new Map<string, string>();
  matching.set(db, known);
  known.delete(name);
  if (state !== undefined) known.set(name, state);
  for (const oldest of known.keys()) {
    if (known.size <= REMEMBERED_MAX) break;
    known.delete(oldest);
  }
}

/** Those records that are not what was logged, by name, each with a sentence. */
export async function mismatchedRecords(db: Db, states: readonly RecordState[]): Promise<ReadonlyMap<string, string>> {
  const open = states.filter((state) => stateThatMatched(db, recordName(state)) !== nameOf(state));
  const checks = await checkRecords(
    db,
    open.map(({ table, key }) => ({ table, key })),
  );
  const mismatched = new Map<string, string>();
  for (const state of open) {
    const name = recordName(state);
    const finding = findingOf(state, checks.get(name));
    rememberState(db, name, finding === undefined ? nameOf(state) : undefined);
    if (finding !== undefined) mismatched.set(name, finding);
  }
  return mismatched;
}

/** What was found of some of them. */
export const foundIn = (names: ReadonlyMap<string, string>, refs: readonly RecordRef[]): string[] =>
  refs.flatMap((ref) => names.get(recordName(ref)) ?? []);

/** The state of a vehicle's own record. `hasFindings`: of its whole history. */
export type OwnState = RecordState & { rego: string; hasFindings: boolean };

/** The ids of those vehicles whose own records, or histories, are not what was logged: they lose their tick. */
export async function mismatchedVehicles(db: Db, states: readonly OwnState[]): Promise<ReadonlySet<string>> {
  const names = await mismatchedRecords(db, states);
  for (const state of states) if (!state.hasFindings) await keepFound(db, state.rego, foundIn(names, [state]));
  return new Set(states.flatMap((state) => (state.hasFindings || names.has(recordName(state)) ? [state.key] : [])));
}

const nameOf = ({ version, leafIndex }: RecordState) => `${version} ${leafIndex}`;
