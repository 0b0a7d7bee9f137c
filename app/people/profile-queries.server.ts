// Profiles of live admins and technicians, in one shape.
import type { Db, Tx } from '#app/platform/database/database.server.ts';

export type Profile = {
  role: 'admin' | 'technician';
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

/** A live admin's or technician's profile; undefined when there is none. */
export function findProfile(
  db: Db | Tx,
  who: { role: 'admin' | 'technician'; recordId: string },
): Promise<Profile | undefined> {
  return who.role === 'admin' ? findAdminProfile(db, who.recordId) : findTechnicianProfile(db, who.recordId);
}

async function findAdminProfile(db: Db | Tx, id: string): Promise<Profile | undefined> {
  const row = await db
    .selectFrom('admin')
    .leftJoin('actor as adder', 'adder.id', 'admin.addedBy')
    .leftJoin('actor as updater', 'updater.id', 'admin.updatedBy')
    .selectAll('admin')
    .select(['adder.name as adderName', 'adder.email as adderEmail'])
    .select(['updater.name as updaterName', 'updater.email as updaterEmail'])
    .where('admin.id', '=', id)
    .where('admin.deletedAt', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    role: 'admin',
    recordId: row.id,
    ...common(row),
    name: row.name,
    phone: row.phone,
    roleLabel: row.roleLabel,
  };
}

async function findTechnicianProfile(db: Db | Tx, id: string): Promise<Profile | undefined> {
  const row = await db
    .selectFrom('technician')
    .leftJoin('actor as adder', 'adder.id', 'technician.addedBy')
    .leftJoin('actor as updater', 'updater.id', 'technician.updatedBy')
    .selectAll('technician')
    .select(['adder.name as adderName', 'adder.email as adderEmail'])
    .select(['updater.name as updaterName', 'updater.email as updaterEmail'])
    .where('technician.id', '=', id)
    .where('technician.deletedAt', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    role: 'technician',
    recordId: row.id,
    ...common(row),
    name: row.repName,
    phone: row.repContact,
    roleLabel: 'Technician',
  };
}

type Row = Pick<
  Profile,
  'personId' | 'email' | 'address' | 'bornOn' | 'gender' | 'notes' | 'imageId' | 'version' | 'addedAt' | 'updatedAt'
> &
  Record<'adderName' | 'adderEmail' | 'updaterName' | 'updaterEmail', string | null>;

function common({ adderName, adderEmail, updaterName, updaterEmail, ...row }: Row) {
  const { personId, email, address, bornOn, gender, notes, imageId, version, addedAt, updatedAt } = row;
  return {
    personId,
    email,
    address,
    bornOn,
    gender,
    notes,
    imageId,
    version,
    addedAt,
    updatedAt,
    addedBy: adderName || adderEmail,
    updatedBy: updaterName || updaterEmail,
  };
}
