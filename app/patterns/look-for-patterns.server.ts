// Looks for patterns: in the whole of twelve months once a night, which lists what it finds; and around each visit soon
// after it closed, which shows an admin who decides about that visit what it adds, and lists nothing: the correction is
// the night's.
import { sql, type Insertable } from 'kysely';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, instantOfDay, timeIn, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { counted } from '#app/ui/counted.ts';
import type { Tables } from '#database/tables.ts';
import { findForVisit, findPatterns } from './find-patterns.ts';
import { keepFindings, monthsBefore } from './keep-findings.server.ts';
import type { UsualNumbers } from '#database/pattern-tables.ts';
import { loadSample, loadSampleAround } from './load-sample.server.ts';
import { METHOD_VERSION } from './method.ts';
import { WINDOW_MONTHS, type SampleTolerance } from './sample.ts';

/** In the registry's zone: when few people are there. */
const LOOK_FROM = '02:00';
const VISITS_AT_ONCE = 20;
/** What began before may still be committed. */
const SETTLED_MS = 5000;

type Looking = Pick<Services, 'db' | 'now'> & { zone: string };

/** The day that is to be looked at; undefined: it was, or it is too early. */
export async function nightToLook({ db, now, zone }: Looking): Promise<string | undefined> {
  if (timeIn(zone, now()) < LOOK_FROM) return undefined;
  const night = todayIn(zone, now());
  const done = await db.selectFrom('patternLook').select('night').where('night', '=', night).executeTakeFirst();
  return done === undefined ? night : undefined;
}

/** Looks at the twelve months before the day `night`. Returns how many findings are new. */
export async function lookAtNight({ db, now, zone }: Looking, night: string): Promise<number> {
  const sample = await loadSample(db, {
    from: instantOfDay(monthsBefore(night, WINDOW_MONTHS), zone),
    to: instantOfDay(night, zone),
  });
  const { tests, listed, usualNumbers } = findPatterns(sample, { night, tolerance: await toleranceOf(db) });
  return db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('patternLook')
      .values({
        night,
        methodVersion: METHOD_VERSION,
        lookedAt: now(),
        visits: sample.visits.length,
        tests: tests.length,
        ground: JSON.stringify(usualNumbers),
      })
      .onConflict((conflict) => conflict.column('night').doNothing())
      .executeTakeFirst();
    // Another node was through first.
    if (numInsertedOrUpdatedRows === 0n) return 0;
    const found = await keepFindings(tx, listed, { on: night, now: now() });
    const visits = counted(sample.visits.length, 'visit', 'visits');
    const details = `${visits} of the twelve months before ${formatDay(night)}, ${counted(tests.length, 'test', 'tests')}`;
    await appendActivity(tx, { kind: 'pattern.looked', actorId: null, subject: 'pattern', details });
    return found;
  });
}

/** Looks around the visits that closed since the last time. Returns how many it looked at. */
export async function lookAtClosed({ db, now, zone }: Looking): Promise<number> {
  const usualNumbers = await lastNumbers(db);
  if (usualNumbers === undefined) return 0;
  // Two values and not a join: with a join, PostgreSQL compares every visit that has ever closed.
  const { rows } = await sql<{ id: string; closedAt: Date }>`select id, closed_at from visit
    where (closed_at, id) > ((select closed_at from pattern_progress), (select visit_id from pattern_progress))
      and closed_at < ${new Date(now().getTime() - SETTLED_MS)}
      and origin = 'recorded' order by closed_at, id limit ${VISITS_AT_ONCE}`.execute(db);
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const from = instantOfDay(monthsBefore(todayIn(zone, now()), WINDOW_MONTHS), zone);
  const tolerance = await toleranceOf(db);
  const seen: Insertable<Tables['patternSeen']>[] = [];
  for (const { id: visitId } of rows) {
    const found = findForVisit(await loadSampleAround(db, visitId, from), visitId, { tolerance, usualNumbers });
    for (const { pattern, n, hits, p } of found)
      seen.push({ visitId, pattern, methodVersion: METHOD_VERSION, n, hits, p });
  }
  await db.transaction().execute(async (tx) => {
    if (seen.length > 0)
      await tx
        .insertInto('patternSeen')
        .values(seen)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await tx.updateTable('patternProgress').set({ closedAt: last.closedAt, visitId: last.id }).execute();
  });
  return rows.length;
}

// Of the last night by this version of the method. Before the first one nobody knows what is usual.
async function lastNumbers(db: Db): Promise<UsualNumbers | undefined> {
  const look = await db
    .selectFrom('patternLook')
    .select('ground')
    .where('methodVersion', '=', METHOD_VERSION)
    .orderBy('night', 'desc')
    .limit(1)
    .executeTakeFirst();
  return look?.ground;
}

async function toleranceOf(db: Db): Promise<SampleTolerance> {
  const { tolerancePerMille: perMille, toleranceKg: kg } = await currentPolicy(db);
  return { perMille, kg };
}
