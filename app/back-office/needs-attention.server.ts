// The vehicles that need a hand first.
import { sql } from 'kysely';
import { formatDay } from '#app/platform/calendar.ts';
import type { Db } from '#app/platform/database.server.ts';
import { hasVerdict } from '#app/vehicles/verdict-sql.server.ts';
import type { Verdict, VerdictPolicy } from '#app/vehicles/verdict.ts';

export type Attention = { rego: string; verdict: Verdict; due: string; companyName: string };

const SHOWN = 5;
const OVERDUE_SHOWN = 2;

/**
 * Five overdue and due soon vehicles, by due day: those around `today`, as one that is overdue for years would else stand
 * on top for ever.
 */
export async function listNeedsAttention(db: Db, today: string, policy: VerdictPolicy): Promise<Attention[]> {
  const [overdue, dueSoon] = await Promise.all([
    listDue(db, 'overdue', today, policy),
    listDue(db, 'due-soon', today, policy),
  ]);
  const newlyOverdue = overdue.slice(0, Math.max(OVERDUE_SHOWN, SHOWN - dueSoon.length)).toReversed();
  return [...newlyOverdue, ...dueSoon].slice(0, SHOWN);
}

// From today outwards.
async function listDue(
  db: Db,
  verdict: 'overdue' | 'due-soon',
  today: string,
  policy: VerdictPolicy,
): Promise<Attention[]> {
  const outwards = verdict === 'overdue' ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ rego: string; dueOn: string; companyName: string }>`
    select rego, next_calibration_due_on as due_on, company_name from vehicle
    where deleted_at is null and ${hasVerdict([verdict], today, policy)}
    order by next_calibration_due_on ${outwards}, rego limit ${SHOWN}`.execute(db);
  return rows.map(({ rego, dueOn, companyName }) => ({ rego, verdict, due: formatDay(dueOn, 'short'), companyName }));
}
