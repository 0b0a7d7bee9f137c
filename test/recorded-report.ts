// Records a report of a wrong record that is decided, for tests of its stored form.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { asOffice, report, REPORTER_BY_MAIL, take } from './wrong-records.ts';

export async function recordReport(db: Db, folder: string): Promise<void> {
  const { rego } = await db
    .selectFrom('vehicle')
    .select('rego')
    .where('deletedAt', 'is', null)
    .orderBy('rego')
    .limit(1)
    .executeTakeFirstOrThrow();
  const admin = await db.selectFrom('admin').select(['personId', 'email']).executeTakeFirstOrThrow();
  const session = { sessionId: '', recordId: '', mustChangePassword: false, hasSecondFactor: false };
  const office = asOffice({ ...admin, ...session, name: 'Mia', role: 'admin' } satisfies SignedIn);
  const now = () => new Date('2026-11-21T01:00:00Z');
  const services = { db, config: readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }), now };
  const { id } = await report(services, { vehicle: rego });
  await take(services, REPORTER_BY_MAIL, id, 'confirmed');
  await take(services, office, id, 'asked');
  const later = { ...services, now: () => new Date('2026-12-21T01:00:00Z') };
  const decided = await take(later, office, id, 'decided', { decision: 'right' });
  if (!decided.done) throw new Error(`the report was not decided: ${decided.reason}`);
}
