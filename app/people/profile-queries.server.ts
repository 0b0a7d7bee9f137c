// Profiles of live people of the office and technicians, in one shape.
import { sql } from 'kysely';
import type { AccountRole } from '#app/access/permissions.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

export type Profile = {
  role: AccountRole;
  recordId: string;
  personId: string;
  email: string;
  name: string;
  phone: string;
  address: string;
  bornOn: string | null;
  /** The specification's 'Role': free text that gives no permission. */
  roleLabel: string;
  gender: string;
  notes: string;
  imageId: string | null;
  version: number;
  addedAt: Date | null;
  addedBy: string | null;
  updatedAt: Date | null;
  updatedBy: string | null;
};

/** The table of the records of a role. */
export const tableOf = (role: AccountRole) => (role === 'technician' ? 'technician' : 'staff');

/** A live person's profile; undefined when there is none. */
export async function findProfile(
  db: Db | Tx,
  { role, recordId }: Pick<Profile, 'role' | 'recordId'>,
): Promise<Profile | undefined> {
  const { rows } = await sql<Profile>`
    select p.id as record_id, p.person_id, p.email, p.address, p.born_on, p.gender, p.notes, p.image_id, p.version,
      ${OWN_FIELDS[tableOf(role)]}, ${role} as role, p.added_at, p.updated_at,
      coalesce(nullif(adder.name, ''), adder.email) as added_by,
      coalesce(nullif(updater.name, ''), updater.email) as updated_by
    from ${sql.table(tableOf(role))} p
      left join actor adder on adder.id = p.added_by left join actor updater on updater.id = p.updated_by
    where p.id = ${recordId} and p.deleted_at is null`.execute(db);
  return rows[0];
}

/** The texts of a profile, as its form shows them. */
export function profileTexts({ name, phone, address, roleLabel: role, bornOn, gender, notes }: Profile) {
  return { name, phone, address, role, dob: bornOn ?? '', gender, notes };
}

const OWN_FIELDS = {
  staff: sql`p.name, p.phone, p.role_label`,
  technician: sql`p.rep_name as name, p.rep_contact as phone, 'Technician' as role_label`,
};
