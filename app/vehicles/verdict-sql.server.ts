// The verdict in SQL, made from the same intervals as `judge`.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { normaliseSearch, parseRego } from './vehicle.ts';
import { verdictBounds, type VerdictPolicy } from './verdict.ts';
import { VERDICTS, type Verdict } from './verdict-table.ts';

export type VerdictCounts = Record<Verdict, number>;

/** Whether a row of `vehicle` has one of `verdicts` as at `today`, by `policy`. */
export function hasVerdict(verdicts: readonly Verdict[], today: string, policy: VerdictPolicy): RawBuilder<boolean> {
  return sql`(${sql.join(
    verdicts.map((verdict) => isVerdict(verdict, today, policy)),
    sql` or `,
  )})`;
}

// The counts of states have it in `calibration_validated` already.
const IS_VALIDATED = sql`is_validated(calibration_validated, rests_on)`;

function isVerdict(verdict: Verdict, today: string, policy: VerdictPolicy): RawBuilder<boolean> {
  const { validated, calibrated, dueFrom, dueTo, orNoDue } = verdictBounds(verdict, today, policy);
  const due = [
    ...(dueFrom === null ? [] : [sql`next_calibration_due_on >= ${dueFrom}::date`]),
    ...(dueTo === null ? [] : [sql`next_calibration_due_on <= ${dueTo}::date`]),
  ];
  const dueFits = due.length === 0 ? sql`true` : sql.join(due, sql` and `);
  return sql`(${sql.join(
    [
      calibrated ? sql`is_calibrated` : sql`not is_calibrated`,
      ...(validated === null ? [] : [validated ? IS_VALIDATED : sql`not ${IS_VALIDATED}`]),
      orNoDue ? sql`(${dueFits} or next_calibration_due_on is null)` : dueFits,
    ],
    sql` and `,
  )})`;
}

/** Whether a row's rego or VIN contains `needle` (normalised). A placeholder is no VIN. */
export const holdsText = (needle: string): RawBuilder<boolean> =>
  needle === ''
    ? sql`true`
    : sql`((rego || ' ' || vin) like ${`%${needle}%`} and (strpos(rego, ${needle}) > 0 or known_vin(vin) <> ''))`;

/** Whether the rego contains `text`, or is it without its state. True of no text, false of no letter or digit. */
export function holdsRego(rego: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  if (text === '') return sql`true`;
  const needle = normaliseSearch(text);
  const parsed = parseRego(text);
  const whole = (parsed.ok ? parsed.without?.rego : undefined) ?? needle;
  return needle === '' ? sql`false` : sql`(strpos(${rego}, ${needle}) > 0 or ${rego} = ${whole})`;
}

/**
 * How many of the live vehicles that match `found` have each verdict as at `today`, by `policy`. One statement, so the
 * counts are consistent. If `found` is undefined it counts all, by adding up counts that triggers maintain: the
 * registry's size does not matter.
 */
export async function countByVerdict(
  db: Db,
  found: RawBuilder<unknown> | undefined,
  { today, policy }: { today: string; policy: VerdictPolicy },
): Promise<VerdictCounts> {
  const from =
    found === undefined
      ? sql`(select *, calibrated as is_calibrated, '' as rests_on from vehicle_state_total) states`
      : sql`(select *, 1 as n from vehicle) found where deleted_at is null and ${found}`;
  const sums = VERDICTS.map(
    ({ verdict }) => sql`coalesce(sum(n) filter (where ${isVerdict(verdict, today, policy)}), 0)`,
  );
  const { rows } = await sql<{
    counts: number[];
  }>`select array[${sql.join(sums)}]::int[] as counts from ${from}`.execute(db);
  const counts = { valid: 0, 'due-soon': 0, overdue: 0, 'not-validated': 0, 'never-calibrated': 0 };
  for (const [place, { verdict }] of VERDICTS.entries()) counts[verdict] = rows[0]?.counts[place] ?? 0;
  return counts;
}

/** The sum of `counts`, or of the counts of `verdicts` if there are any. */
export function sumOf(counts: VerdictCounts, verdicts: readonly Verdict[] = []): number {
  return VERDICTS.filter(({ verdict }) => verdicts.length === 0 || verdicts.includes(verdict)).reduce(
    (sum, { verdict }) => sum + counts[verdict],
    0,
  );
}
