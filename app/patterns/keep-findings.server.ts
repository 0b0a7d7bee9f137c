// Keeps what the nightly look lists, each once, and notes it in the activity log. Nobody is named there.
import { createHash } from 'node:crypto';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import type { Selectable } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Tables } from '#database/tables.ts';
import { METHOD, METHOD_VERSION } from './method.ts';
import type { PatternTest } from './pattern.ts';
import { WINDOW_MONTHS } from './sample.ts';

/** Returns how many are new. `on`: the day of the look. */
export async function keepFindings(
  tx: Tx,
  listed: readonly PatternTest[],
  { on, now }: { on: string; now: Date },
): Promise<number> {
  const kept: { id: string; pattern: PatternTest['pattern'] }[] = [];
  for (const one of listed) {
    const visits = [...new Set(one.findings.flat())];
    const before = await earlierOf(tx, one);
    if (await gather(tx, one, { visits, before })) continue;
    if (isExplained(before, { visits, on })) continue;
    const { pattern, technician, n, hits, p, facts } = one;
    const inserted = await tx
      .insertInto('patternFinding')
      .values({
        pattern,
        methodVersion: METHOD_VERSION,
        key: keyOf(one, visits, on),
        personId: technician,
        visitIds: visits,
        n,
        hits,
        p,
        facts: JSON.stringify(facts),
        foundOn: on,
        foundAt: now,
      })
      .onConflict((conflict) => conflict.columns(['pattern', 'methodVersion', 'key']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted !== undefined) kept.push({ id: inserted.id, pattern });
  }
  if (kept.length > 0)
    await appendActivities(
      tx,
      kept.map(({ id, pattern }) => ({
        kind: 'pattern.found',
        actorId: null,
        subject: 'pattern',
        subjectId: id,
        details: METHOD[pattern].name,
      })),
    );
  return kept.length;
}

// A pattern of figures is about a person and a month; any other about the same visits.
function keyOf({ pattern, technician }: PatternTest, visits: readonly string[], on: string): string {
  const about = visits.length === 0 ? on.slice(0, 7) : visits.toSorted().join(' ');
  return createHash('sha256').update(`${pattern} ${technician} ${about}`).digest('hex');
}

type Earlier = Pick<Selectable<Tables['patternFinding']>, 'id' | 'state' | 'outcome' | 'visitIds' | 'foundOn'>;

const earlierOf = (tx: Tx, { pattern, technician }: PatternTest): Promise<Earlier[]> =>
  tx
    .selectFrom('patternFinding')
    .select(['id', 'state', 'outcome', 'visitIds', 'foundOn'])
    .where('pattern', '=', pattern)
    .where('personId', '=', technician)
    .forUpdate()
    .execute();

// While one is looked at, what is new is added to it, with the newest numbers. Returns whether there is one.
async function gather(
  tx: Tx,
  { n, hits, p, facts }: PatternTest,
  { visits, before }: { visits: readonly string[]; before: readonly Earlier[] },
): Promise<boolean> {
  const open = before.find(({ state }) => state !== 'decided');
  if (open === undefined) return false;
  const visitIds = [...new Set([...open.visitIds, ...visits])];
  await tx
    .updateTable('patternFinding')
    .set({ visitIds, n, hits, p, facts: JSON.stringify(facts), methodVersion: METHOD_VERSION })
    .where('id', '=', open.id)
    .execute();
  return true;
}

// The window moves on by a day a night, so the same would be found again: not where every visit was decided about, nor,
// of figures, where they were explained within the window.
function isExplained(before: readonly Earlier[], { visits, on }: { visits: readonly string[]; on: string }): boolean {
  const listed = new Set(before.flatMap(({ visitIds }) => visitIds));
  if (visits.length > 0) {
    const fresh = visits.filter((id) => !listed.has(id));
    return fresh.length < Math.min(FEWEST_NEW, visits.length);
  }
  return before.some(({ outcome, foundOn }) => outcome === 'explained' && foundOn > monthsBefore(on, WINDOW_MONTHS));
}

/** Fewer visits that nobody has decided about are no new reason. */
const FEWEST_NEW = 2;

/** The same day of the month, so many months before; the month's last one where there is none. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${first.toISOString().slice(0, 8)}${String(Math.min(date, last)).padStart(2, '0')}`;
}
