// Keeps what the nightly look lists, each once, and notes it in the activity log. Nobody is named there.
import { createHash } from 'node:crypto';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
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
    if (await isKnown(tx, one, { visits, on })) continue;
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

// The window moves on by a day a night, so the same would be found again: not while it is looked at, nor where it was
// explained and nothing is new.
async function isKnown(
  tx: Tx,
  { pattern, technician }: PatternTest,
  { visits, on }: { visits: readonly string[]; on: string },
): Promise<boolean> {
  const before = await tx
    .selectFrom('patternFinding')
    .select(['state', 'outcome', 'visitIds', 'foundOn'])
    .where('pattern', '=', pattern)
    .where('personId', '=', technician)
    .execute();
  if (before.some(({ state }) => state !== 'decided')) return true;
  const listed = new Set(before.flatMap(({ visitIds }) => visitIds));
  if (visits.length > 0) return visits.every((id) => listed.has(id));
  return before.some(({ outcome, foundOn }) => outcome === 'explained' && foundOn > monthsBefore(on, WINDOW_MONTHS));
}

/** The same day of the month, so many months before; the month's last one where there is none. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${first.toISOString().slice(0, 8)}${String(Math.min(date, last)).padStart(2, '0')}`;
}
