// Admins, applications, technicians and their suspensions, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, never>;
type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Day = ColumnType<string | null, string | null | undefined, string | null>;
type Text = Generated<string>;
type Origin = Generated<'recorded' | 'imported'>;
type OptionalId<T = number> = ColumnType<T | null, T | null | undefined, T | null>;

export interface AdminTable {
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
  imageId: OptionalId<string>;
  imageUrl: Text;
  legacyUid: Text;
  origin: Origin;
  version: Generated<number>;
  addedAt: OptionalInstant;
  addedBy: OptionalId;
  updatedAt: OptionalInstant;
  updatedBy: OptionalId;
  deletedAt: OptionalInstant;
  deletedBy: OptionalId;
}
export interface ApplicationTable {
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
  decision: OptionalId<'approved' | 'deleted'>;
  decidedAt: OptionalInstant;
  decidedBy: OptionalId;
  decisionReason: Text;
  formKey: OptionalId<string>;
}
export interface TechnicianTable {
  id: Generated<string>;
  personId: string;
  applicationId: OptionalId<string>;
  email: string;
  companyName: Text;
  abn: Text;
  tradeLicenceNum: Text;
  address: Text;
  repName: Text;
  repContact: Text;
  legacyUid: Text;
  origin: Origin;
  version: Generated<number>;
  requestedAt: OptionalInstant;
  /** The first day of the suspension that is not lifted. */
  suspendedFrom: Day;
  /** The last day on which the trade licence is valid. */
  licenceEndsOn: Day;
  bornOn: Day;
  gender: Text;
  notes: Text;
  imageId: OptionalId<string>;
  addedAt: OptionalInstant;
  addedBy: OptionalId;
  updatedAt: OptionalInstant;
  updatedBy: OptionalId;
  deletedAt: OptionalInstant;
  deletedBy: OptionalId;
}
/** One suspension. Days of the registry's zone, both included. `toOn`: null until it is lifted. */
export interface SuspensionTable {
  id: Generated<string>;
  technicianId: string;
  fromOn: string;
  toOn: Day;
  reason: string;
  decidedBy: number;
  decidedAt: Instant;
  endedBy: OptionalId;
  endedAt: OptionalInstant;
}
