// Suspends a technician and lifts it, for tests of its stored form.
import type { Db } from '#app/platform/database/database.server.ts';
import { listSuspensions } from '#app/technicians/queries.server.ts';
import { reinstateTechnician, suspendTechnician } from '#app/technicians/suspend-technician.server.ts';

/** A suspension that is lifted: every column has a value. */
export async function recordLiftedSuspension(db: Db): Promise<void> {
  const admin = await db.selectFrom('admin').select(['personId', 'email']).executeTakeFirstOrThrow();
  const { id, email } = await db.selectFrom('technician').select(['id', 'email']).executeTakeFirstOrThrow();
  const services = { db, now: () => new Date('2026-11-21T01:00:00Z') };
  const session = { sessionId: '', recordId: '', mustChangePassword: false, hasSecondFactor: false };
  const who = { ...admin, ...session, name: 'Mia', role: 'admin' } as const;
  await suspendTechnician(services, who, { email, from: '2026-11-20', reason: 'Asked about.', key: undefined });
  const [suspension] = await listSuspensions(db, id);
  const lifted = { from: '2026-11-25', suspension: suspension?.id ?? '' };
  const answer = await reinstateTechnician(services, who, { email, ...lifted, key: undefined });
  if (!answer.decided) throw new Error(answer.reason);
}
