import type { Db } from '#app/platform/database/database.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { outcomeOf } from './finding.ts';
import { patternName } from './present-finding.ts';

export type MyFinding = { id: string; name: string; found: string; word: string };

/** What the person was asked about, the newest first. */
export async function myFindings(db: Db, personId: string): Promise<MyFinding[]> {
  const rows = await db
    .selectFrom('patternFinding')
    .select(({ exists, selectFrom }) => [
      'patternFinding.id',
      'pattern',
      'foundOn',
      'outcome',
      exists(
        selectFrom('patternStep')
          .select('patternStep.id')
          .whereRef('findingId', '=', 'patternFinding.id')
          .where('step', '=', 'answered'),
      ).as('isAnswered'),
    ])
    .where('personId', '=', personId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('patternStep')
          .select('patternStep.id')
          .whereRef('findingId', '=', 'patternFinding.id')
          .where('step', '=', 'asked'),
      ),
    )
    .orderBy('foundAt', 'desc')
    .execute();
  return rows.map(({ id, pattern, foundOn, outcome, isAnswered }) => ({
    id,
    name: patternName(pattern),
    found: formatDay(foundOn, 'short'),
    word: outcomeOf(outcome)?.words ?? (isAnswered ? 'Answered' : 'Waits for your answer'),
  }));
}
