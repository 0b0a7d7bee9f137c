// Findings of patterns, for tests that are not about finding them.
import type { Db } from '#app/platform/database/database.server.ts';
import type { FindingState } from '#database/pattern-tables.ts';

/** A finding about the visits of this person. Asked ones were asked today by `by`, an actor. */
export async function newFinding(
  db: Db,
  personId: string,
  {
    visitIds = [],
    state = 'open',
    by,
    pattern = 'same-as-before',
  }: { visitIds?: string[]; state?: FindingState; by?: number; pattern?: string } = {},
): Promise<string> {
  const { id } = await db
    .insertInto('patternFinding')
    .values({
      pattern,
      methodVersion: 1,
      key: crypto.randomUUID(),
      personId,
      visitIds,
      n: 60,
      hits: 1,
      p: 0.000_02,
      facts: '{}',
      foundOn: '2026-11-20',
      foundAt: new Date(),
      state,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (by !== undefined)
    await db
      .insertInto('patternStep')
      .values({
        findingId: id,
        step: 'asked',
        actorId: by,
        onDay: new Date().toISOString().slice(0, 10),
        at: new Date(),
      })
      .execute();
  return id;
}
