// Admins, applications, technicians and their suspensions, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';
import type { Day, Edited, Optional, OptionalInstant, Origin, Text } from './column-types.ts';

/** Of a technician, and of who asks to be one. */
interface Applicant {
  id: Generated<string>;
  email: string;
  companyName: Text;
  abn: Text;
  tradeLicenceNum: Text;
  address: Text;
  repName: Text;
  repContact: Text;
  origin: Origin;
  requestedAt: OptionalInstant;
}

/** The roles in the registry's office. A person who has none is a technician, or has no account. */
export const STAFF_ROLES = ['admin', 'auditor'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** `admin`, a view, is those whose role is that one. */
export interface StaffTable extends Edited {
  role: Generated<StaffRole>;
  id: Generated<string>;
  personId: string;
  email: string;
  name: Text;
  phone: Text;
  address: Text;
  bornOn: Day;
  roleLabel: Text;
  gender: Text;
  notes: Text;
  imageId: Optional<string>;
  imageUrl: Text;
  legacyUid: Text;
  origin: Origin;
}
/** A removal of an admin, which waits for a second one, or to stand by itself. */
export interface AdminRemovalTable {
  id: Generated<string>;
  adminId: string;
  proposedBy: number;
  proposedAt: Date;
  /** Null while it waits. */
  outcome: Optional<'confirmed' | 'stood' | 'refused'>;
  endedAt: Optional<Date>;
  endedBy: Optional<number>;
}
export interface ApplicationTable extends Applicant {
  decision: Optional<'approved' | 'deleted'>;
  decidedAt: OptionalInstant;
  decidedBy: Optional<number>;
  decisionReason: Text;
  formKey: Optional<string>;
}
export interface TechnicianTable extends Applicant, Edited {
  personId: string;
  applicationId: Optional<string>;
  legacyUid: Text;
  /** The first day of the suspension that is not lifted. */
  suspendedFrom: Day;
  /** The last day on which the trade licence is valid. */
  licenceEndsOn: Day;
  bornOn: Day;
  gender: Text;
  notes: Text;
  imageId: Optional<string>;
}
/** One suspension. Days of the registry's zone, both included. `toOn`: null until it is lifted. */
export interface SuspensionTable {
  id: Generated<string>;
  technicianId: string;
  fromOn: string;
  toOn: Day;
  reason: string;
  decidedBy: number;
  decidedAt: ColumnType<Date, Date | string, never>;
  endedBy: Optional<number>;
  endedAt: OptionalInstant;
}
