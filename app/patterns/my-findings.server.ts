import type { ExpressionBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import type { FindingStep } from '#database/pattern-tables.ts';
import type { Tables } from '#database/tables.ts';
import { outcomeOf } from './finding.ts';
import { patternName } from './present-finding.ts';

export type MyFinding = { id: string; name: string; found: string; word: string };

/** What the person was asked about, the newest first. */
export async function myFindings(db: Db, personId: string): Promise<MyFinding[]> {
  const rows = await db
    .selectFrom('patternFinding')
    .select((eb) => ['patternFinding.id', 'pattern', 'foundOn', 'outcome', has(eb, 'answered').as('isAnswered')])
    .where('personId', '=', personId)
    .where((eb) => has(eb, 'asked'))
    .orderBy('foundAt', 'desc')
    .execute();
  return rows.map(({ id, pattern, foundOn, outcome, isAnswered }) => ({
    id,
    name: patternName(pattern),
    found: formatDay(foundOn, 'short'),
    word: outcomeOf(outcome)?.words ?? (isAnswered ? 'Answered' : 'Waits for your answer'),
  }));
}

const has = ({ exists, selectFrom }: ExpressionBuilder<Tables, 'patternFinding'>, step: FindingStep) =>
  exists(
    selectFrom('patternStep')
      .select('patternStep.id')
      .whereRef('findingId', '=', 'patternFinding.id')
      .where('step', '=', step),
  );
