// How many wait for the office, beside the names of their lists in the sidebar.
import { sql } from 'kysely';
import { may, type Role } from '#app/access/permissions.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { countWaiting } from '#app/visit-queue/queue-page.server.ts';

/** By the address of the list. Nothing for who may not read them. */
export type Waiting = Readonly<Record<string, number>>;

export async function countsBeside(db: Db, role: Role): Promise<Waiting> {
  if (!may(role, 'read visits')) return {};
  const { rows } = await sql<Waiting>`select
    (select count(*) from wrong_report where state in ('confirmed', 'opened', 'answered', 'second-look')) as "/reports",
    (select count(*) from application where decision is null) as "/applications",
    (select count(*) from pattern_finding where state = 'open') as "/patterns"`.execute(db);
  return { '/visits': await countWaiting(db), ...rows[0] };
}
