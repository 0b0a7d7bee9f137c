// Shared by the tests that add and remove admins.
import { addAdminSchema, type AddAdminInput } from '#app/admins/admin.ts';
import type { Db } from '#app/platform/database/database.server.ts';

let made = 0;
export const newEmail = (): string => `new${(made += 1)}@registry.example`;
/** The password that `adminInput` gives. */
export const GIVEN = 'nine green weighbridges';
export const adminInput = (email: string, more: Record<string, string> = {}): AddAdminInput =>
  addAdminSchema.parse({ email, password: GIVEN, name: 'New One', ...more });

export const liveAdmins = (db: Db, email: string) =>
  db.selectFrom('admin').selectAll().where('email', '=', email).where('deletedAt', 'is', null).execute();
export const listMails = (db: Db) =>
  db.selectFrom('mail').select(['kind', 'recipient', 'facts']).orderBy('id').execute();
export const listEntries = (db: Db) =>
  db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'details', 'topics', 'subject', 'subjectId'])
    .orderBy('activityLog.index')
    .execute();
