// What the two logs have of a history.
import { sql } from 'kysely';
import { vehicleDueField } from '#app/tlog/leaf-body.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Change, Entry, Outcome } from './operation.ts';

export type Sizes = { entries: number; leaves: number };

/** How long the two logs are. */
export async function readSizes(db: Db): Promise<Sizes> {
  const { size, leafSize } = await db
    .selectFrom('activityState')
    .select(['size', 'leafSize'])
    .executeTakeFirstOrThrow();
  return { entries: size, leaves: leafSize };
}

/** `visits`: of each leaf, '' where it is about none. `isAlone`: its transaction logged nothing else. */
export type Logged = { subject: string; subjectId: string; entry: Entry; visits: readonly string[]; isAlone: boolean };

export async function readLogs(db: Db, since: Sizes, faults: string[]): Promise<Logged[]> {
  const now = await readSizes(db);
  // Rows of one transaction have one xmin: so an entry's leaves are those that its own write appended. What shares a
  // transaction has an entry and a leaf each, in one order, and the last one all that are left: readings of one moment,
  // and a visit that closes before something else is done.
  const { rows: entries } = await sql<{
    index: number;
    tx: string;
    at: Date;
    kind: string;
    subject: string;
    subjectId: string;
    by: string | null;
    details: string | null;
    changes: Change[] | null;
  }>`select l.index, l.xmin::text as tx, l.at, l.kind, l.subject, l.subject_id, a.email as by, d.details, d.changes
    from activity_log l left join activity_detail d using (index) left join actor a on a.id = l.actor_id
    where l.index >= ${since.entries} order by l.index`.execute(db);
  const { rows: leaves } = await sql<{ index: number; tx: string; entry: string }>`
    select index, xmin::text as tx, entry from log_leaf where index >= ${since.leaves} order by index`.execute(db);
  const isGapFree = (rows: readonly { index: number }[], from: number, to: number) =>
    rows.length === to - from && rows.every(({ index }, nth) => index === from + nth);
  if (!isGapFree(entries, since.entries, now.entries)) faults.push('The activity log has a gap.');
  if (!isGapFree(leaves, since.leaves, now.leaves)) faults.push('The transparency log has a gap.');
  if (entries.some(({ at }, nth) => at < (entries[nth - 1]?.at ?? at)))
    faults.push('The activity log goes back in time.');
  const byTx = Map.groupBy(leaves, ({ tx }) => tx);
  const entriesOf = Map.groupBy(entries, ({ tx }) => tx);
  const leavesOf = (entry: (typeof entries)[number]) => {
    const [own = [], beside = []] = [byTx.get(entry.tx), entriesOf.get(entry.tx)];
    const place = beside.indexOf(entry);
    return own.slice(place, place === beside.length - 1 ? own.length : place + 1);
  };
  const inOrder = entries.flatMap(leavesOf);
  if (inOrder.length !== leaves.length) faults.push('The transparency log has leaves of no entry, or of two.');
  if (inOrder.some(({ index }, nth) => index < (inOrder[nth - 1]?.index ?? index)))
    faults.push('The two logs have their entries in different orders.');
  return entries.flatMap((entry) => {
    // The night's own look at all visits is nobody's act, and may come between any two.
    if (entry.kind === 'pattern.looked') return [];
    const beside = entriesOf.get(entry.tx) ?? [];
    if (beside.some(isOfImport)) return entry === beside[0] ? [imported(beside, byTx.get(entry.tx) ?? [])] : [];
    const { kind, by, details, changes, subject, subjectId } = entry;
    const texts = leavesOf(entry).map(({ entry: text }) => text);
    const leaves = texts.map(leafOf);
    const logged: Logged = {
      subject,
      subjectId,
      entry: { kind, by: by ?? '', details: details ?? '', changes: changes ?? [], leaves },
      visits: texts.map(visitOf),
      isAlone: beside.length === 1,
    };
    return [logged];
  });
}

type Row = { tx: string; kind: string; subject: string; subjectId: string; by: string | null };
const isOfImport = ({ kind, by }: Row) => by === null && (kind.endsWith('.imported') || kind === 'vehicle.updated');

// An import of one truck is one entry: what it did, and which visits it closed.
function imported(entries: readonly Row[], leaves: readonly { entry: string }[]): Logged {
  const [{ subject, subjectId } = { subject: '', subjectId: '' }] = entries;
  const closed = leaves.map(({ entry }) => leafOf(entry)).filter(({ type }) => type === 'visit.closed');
  const details = entries.map(({ kind }) => kind).join(' ');
  const entry = { kind: 'import', by: '', details, changes: [], leaves: closed };
  return { subject, subjectId, entry, visits: [], isAlone: false };
}

function visitOf(text: string): string {
  const leaf: { body: { visit?: string } } = JSON.parse(text);
  return leaf.body.visit ?? '';
}

// As much of a leaf as the models know.
function leafOf(text: string): Outcome {
  const leaf: { type: string; body: Record<string, string | number | boolean> } = JSON.parse(text);
  const { type, body } = leaf;
  const { validated, calibration, axle, attribute, value, nextDueOn: dueOn = null, visitState } = body;
  const from = body['suspendedFrom'] ?? body['reinstatedFrom'];
  if (from !== undefined) return { type, from };
  const judged = visitState === undefined ? {} : { visitState, visitDueOn: body['visitDueOn'] ?? null };
  if (axle !== undefined && attribute !== undefined && value !== undefined && calibration !== undefined)
    return { type, calibration, axle, attribute, value, dueOn, ...judged };
  // How another event leaves its vehicle is checked against the record at the end (`verifyDatabase`).
  if (vehicleDueField(type) === 'nextDueOn') return { type, validated: validated ?? null, dueOn };
  return { type, ...(STATING_DUE.includes(type) ? { dueOn } : {}), ...judged };
}

const STATING_DUE = ['calibration-set.recorded', 'due.set-by-hand'];
