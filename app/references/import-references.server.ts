// Takes weighbridges and verification periods from a table: all of it, or nothing. What is recorded already is left
// alone, so the same file again changes nothing, and a period that was withdrawn here is not revived.
import { sql } from 'kysely';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { foldedName } from '#app/platform/database/name-search.server.ts';
import { sameNumberMark } from '#app/platform/http/spreadsheet-mark.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import {
  referenceEvent,
  verificationEvent,
  type LoggedReference,
} from '#app/transparency-log/reference-events.server.ts';
import type { VerificationPeriod } from './add-verification.server.ts';
import type { Reference, Verification } from './queries.server.ts';
import { changesOf, columnsOf, inputOf } from './reference-columns.server.ts';
import { readReferenceCsv, type CsvReference, type LineProblem } from './reference-csv.server.ts';
import { coordinatesRefused } from './reference-entry.ts';
import { referenceKey } from './reference.ts';
import { changeReference, lockNames } from './update-reference.server.ts';

export type ImportCounts = {
  added: number;
  updated: number;
  unchanged: number;
  periods: number;
  /** Periods that are in the file and were withdrawn here. */
  withdrawn: number;
};
export type ImportReferencesAnswer =
  | { imported: true; counts: ImportCounts }
  | { imported: false; reason: 'problems'; problems: LineProblem[] };

export function importReferences(
  db: Db,
  who: SignedIn,
  { references, taken, key }: { references: readonly CsvReference[]; taken?: ReadonlySet<number>; key: unknown },
): Promise<ImportReferencesAnswer> {
  const values = { references };
  return idempotent<ImportReferencesAnswer>(db, { who, kind: 'references.imported', key, values }, async (tx) => {
    await lockNames(tx);
    const plan = await makePlan(tx, references, taken);
    if (plan.problems.length > 0) return { imported: false, reason: 'problems', problems: plan.problems };
    const { added, updated, periods } = plan.counts;
    if (added + updated + periods === 0) return { imported: true, counts: plan.counts };
    const actorId = await actorOf(tx, who);
    await appendLeaves(tx, await carryOut(tx, actorId, plan));
    await appendActivity(tx, {
      kind: 'references.imported',
      actorId,
      subject: 'reference',
      details: `Weighbridges: ${added} added, ${updated} updated. Verification periods: ${periods} added.`,
      persons: [who.personId],
    });
    return { imported: true, counts: plan.counts };
  });
}

/** What an import of `text` would say of its lines. */
export async function findProblems(db: Db, text: string, { today, taken }: Asked): Promise<LineProblem[]> {
  const read = readReferenceCsv(text, today, taken);
  if (!read.ok) return read.problems;
  return (await db.transaction().execute((tx) => makePlan(tx, read.references, taken))).problems;
}
type Asked = { today: string; taken: ReadonlySet<number> };

type Input = ReturnType<typeof inputOf>;
type Planned = { from: CsvReference; known: Reference | undefined; input: Input; periods: CsvReference['periods'] };
type Plan = { planned: Planned[]; problems: LineProblem[]; counts: ImportCounts };

async function makePlan(
  tx: Tx,
  references: readonly CsvReference[],
  taken: ReadonlySet<number> = new Set(),
): Promise<Plan> {
  const known = await findKnown(tx, references);
  const periodsOf = await findPeriods(tx, [...known.values()]);
  const plan: Plan = {
    planned: [],
    problems: [],
    counts: { added: 0, updated: 0, unchanged: 0, periods: 0, withdrawn: 0 },
  };
  for (const from of references) {
    const before = known.get(referenceKey(from.named));
    // The name stays as it is recorded, whatever letters the file has.
    const input: Input =
      before === undefined
        ? { ...NOTHING, ...from.given, ...from.named }
        : { ...inputOf(before), ...from.given, ...nameOf(before) };
    if (coordinatesRefused(input) !== undefined)
      plan.problems.push({ line: from.line, message: 'Give both latitude and longitude, or neither.' });
    const periods = from.periods.filter((period) => {
      const recorded = periodsOf.get(before?.id ?? '') ?? [];
      const { state, toOn } = recordedAs(recorded, period);
      const [mark] = recorded.flatMap((one) => sameNumberMark(period.certificateNumber, one.certificateNumber) ?? []);
      if (state === 'new' && mark !== undefined && !taken.has(period.line))
        plan.problems.push({ line: period.line, message: `certificate_number: ${mark}`, question: true });
      if (state === 'in force' && toOn !== period.toOn)
        plan.problems.push({
          line: period.line,
          message: `to: ${period.certificateNumber} is recorded to ${toOn}. Withdraw that period first, if it is wrong.`,
        });
      if (state === 'withdrawn') plan.counts.withdrawn += 1;
      return state === 'new';
    });
    plan.counts.periods += periods.length;
    plan.counts[changeOf(before, input)] += 1;
    plan.planned.push({ from, known: before, input, periods });
  }
  return plan;
}

function changeOf(before: Reference | undefined, input: Input): 'added' | 'updated' | 'unchanged' {
  if (before === undefined) return 'added';
  return changesOf(before, columnsOf(input)).length > 0 ? 'updated' : 'unchanged';
}

const NOTHING = { latitude: '', longitude: '', operator: '', capacity_kg: null, interval_kg: null, licence: '' };
const nameOf = ({ name, place, state }: Reference) => ({ name, place, state });

type Recorded = { state: 'new' | 'withdrawn'; toOn?: undefined } | { state: 'in force'; toOn: string };

function recordedAs(recorded: readonly Verification[], period: CsvReference['periods'][number]): Recorded {
  const same = recorded.filter(
    ({ certificateNumber, fromOn }) => certificateNumber === period.certificateNumber && fromOn === period.fromOn,
  );
  const current = same.find(({ removedAt }) => removedAt === null);
  if (current !== undefined) return { state: 'in force', toOn: current.toOn };
  return { state: same.some(({ toOn }) => toOn === period.toOn) ? 'withdrawn' : 'new' };
}

async function findKnown(tx: Tx, references: readonly CsvReference[]): Promise<Map<string, Reference>> {
  const of = (field: 'name' | 'place' | 'state') => references.map(({ named }) => named[field]);
  const { rows } = await sql<Reference>`
    select r.* from reference r
    join unnest(${of('name')}::text[], ${of('place')}::text[], ${of('state')}::text[]) as asked (name, place, state)
      on ${foldedName(sql`r.name`)} = ${foldedName(sql`asked.name`)}
        and ${foldedName(sql`r.place`)} = ${foldedName(sql`asked.place`)} and r.state = asked.state`.execute(tx);
  return new Map(rows.map((row) => [referenceKey(row), row]));
}

async function findPeriods(tx: Tx, known: readonly Reference[]): Promise<Map<string, Verification[]>> {
  const ids = known.map(({ id }) => id);
  const found =
    ids.length === 0
      ? []
      : await tx.selectFrom('referenceVerification').selectAll().where('referenceId', 'in', ids).execute();
  return Map.groupBy(found, ({ referenceId }) => referenceId);
}

async function carryOut(tx: Tx, actorId: number, { planned }: Plan): Promise<LeafEvent[]> {
  const news = planned.filter(({ known }) => known === undefined);
  const ids = new Map(planned.map(({ from, known }) => [from, known?.id]));
  if (news.length > 0) {
    const added = await tx
      .insertInto('reference')
      .values(news.map(({ input }) => ({ ...columnsOf(input), addedBy: actorId, updatedBy: actorId })))
      .returning(['id', 'name', 'place', 'state'])
      .execute();
    const idOf = new Map(added.map((row) => [referenceKey(row), row.id]));
    for (const { from } of news) ids.set(from, idOf.get(referenceKey(from.named)));
  }
  const events: LeafEvent[] = [];
  const named = new Map<string, LoggedReference>();
  const periods: (VerificationPeriod & { referenceId: string; addedBy: number })[] = [];
  for (const { from, known, input, periods: own } of planned) {
    const id = ids.get(from);
    if (id === undefined) throw new Error('a weighbridge was not inserted');
    const reference = { id, ...input };
    named.set(id, reference);
    if (known === undefined) events.push(referenceEvent('reference.added', reference));
    else if (changesOf(known, columnsOf(input)).length > 0) {
      await changeReference(tx, actorId, { ...known, input });
      events.push(referenceEvent('reference.updated', reference));
    }
    periods.push(...own.map(({ line: _line, ...period }) => ({ referenceId: id, ...period, addedBy: actorId })));
  }
  if (periods.length === 0) return events;
  const rows = await tx
    .insertInto('referenceVerification')
    .values(periods)
    .returning(['id', 'referenceId', 'fromOn', 'toOn'])
    .execute();
  for (const row of rows) {
    const reference = named.get(row.referenceId);
    if (reference !== undefined) events.push(verificationEvent(reference, { ...row, withdrawn: false }));
  }
  return events;
}
