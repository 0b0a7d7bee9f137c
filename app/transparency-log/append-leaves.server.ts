// The log's only way in: called in the transaction of the event, after its rows are written. From there to the commit the
// log's state row is locked, so leaves are numbered without gaps and in the order of their commits.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database.server.ts';
import { canonicalJson } from './canonical-json.ts';
import { commit, randomSalt } from './commitment.ts';
import type { Body } from './leaf-body.ts';
import type { LeafType, ORIGINS, PEOPLE } from './leaf.ts';
import { recordName, snapshotRecords, type RecordRef, type RecordRow } from './record-snapshot.server.ts';
import { nodeSha256 } from './sha256.server.ts';

/** One event of record. */
export type LeafEvent = {
  type: LeafType;
  origin?: (typeof ORIGINS)[number];
  body: Body;
  /** Whose chain it continues. */
  vehicle?: { id: string; rego: string };
  /** Names, as commitments. */
  people?: Partial<Record<(typeof PEOPLE)[number], string>>;
  /** The hash of a certificate's bytes, or where it lies, as a commitment. */
  certificate?: string;
  /** The records that the event left as they are now. The leaf covers all their columns. */
  records: readonly RecordRef[];
};

type Opening = { field: string; salt: string; value: unknown };

/** Appends `events` in order. Returns the index of the first. */
export async function appendLeaves(tx: Tx, events: readonly LeafEvent[]): Promise<number> {
  if (events.length === 0) throw new Error('appendLeaves needs an event');
  const rows = await snapshotRecords(
    tx,
    events.flatMap(({ records }) => records),
  );
  const leaves = [];
  for (const event of events) leaves.push(await leafOf(event, rows));
  const { rows: answer } = await sql<{
    first: number;
  }>`select append_leaves(${JSON.stringify(leaves)}::jsonb) as first`.execute(tx);
  const first = answer[0]?.first;
  if (first === undefined) throw new Error('append_leaves gave no index');
  return first;
}

const LEAVES_A_CALL = 1000;

/** Appends many: an import's block. */
export async function appendManyLeaves(tx: Tx, events: readonly LeafEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += LEAVES_A_CALL)
    await appendLeaves(tx, events.slice(from, from + LEAVES_A_CALL));
}

/** What a leaf's `rest` commits to: the records it covers, by name. */
export function restOf(records: readonly RecordRef[], rows: ReadonlyMap<string, RecordRow>): Record<string, RecordRow> {
  return Object.fromEntries(
    records.map((ref) => {
      const row = rows.get(recordName(ref));
      if (row === undefined) throw new Error(`there is no record ${recordName(ref)} to be logged`);
      return [recordName(ref), row];
    }),
  );
}

/** What a vehicle's `subject` commits to. */
export const subjectOf = ({ id, rego }: { id: string; rego: string }) => ({ vehicle: id, rego });

// The pieces between what is known under the lock only (append_leaves puts them together).
async function leafOf(event: LeafEvent, rows: ReadonlyMap<string, RecordRow>) {
  const { type, origin = 'recorded', body, vehicle, people, certificate, records } = event;
  const openings: Opening[] = [];
  const committed = async (field: string, value: unknown) => {
    const salt = randomSalt();
    openings.push({ field, salt, value });
    return commit(nodeSha256, field, { salt, value });
  };
  const named: Record<string, string> = {};
  for (const [role, name] of Object.entries(people ?? {})) named[role] = await committed(`people.${role}`, name);
  const before = {
    body,
    ...(certificate === undefined ? {} : { certificate: await committed('certificate', certificate) }),
    origin,
    ...(people === undefined ? {} : { people: named }),
  };
  const rest = records.length === 0 ? '' : `,"rest":"${await committed('rest', restOf(records, rows))}"`;
  const salt = randomSalt();
  return {
    before: canonicalJson(before).slice(1, -1),
    rest,
    after: canonicalJson({ type, v: 1 }).slice(1, -1),
    records,
    openings,
    ...(vehicle === undefined
      ? {}
      : {
          vehicle: vehicle.id,
          salt,
          // Used when it is the vehicle's first leaf.
          commitment: await commit(nodeSha256, 'subject', { salt, value: subjectOf(vehicle) }),
        }),
  };
}
