// The register of weighbridges (in code: references), as Kysely sees it.
import type { ColumnType, Generated } from 'kysely';

type Text = Generated<string>;
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** A weighbridge. The version counts its edits; its verification periods and repairs do not change it. */
interface ReferenceTable {
  id: Generated<string>;
  name: string;
  place: string;
  state: 'NSW' | 'VIC' | 'QLD' | 'SA' | 'WA' | 'TAS' | 'NT' | 'ACT';
  /** Decimal text; '' is not known. */
  latitude: Text;
  longitude: Text;
  operator: Text;
  capacityKg: Optional<number>;
  intervalKg: Optional<number>;
  publicLicence: Text;
  version: Generated<number>;
  addedAt: Generated<Date>;
  addedBy: number;
  updatedAt: ColumnType<Date, Date | undefined, Date>;
  updatedBy: number;
}
/** From `fromOn` to `toOn`, both included. A trigger refuses every change but its withdrawal, once. */
interface ReferenceVerificationTable {
  id: Generated<string>;
  referenceId: string;
  certificateNumber: string;
  fromOn: string;
  toOn: string;
  fileId: Optional<string>;
  fileSha256: Optional<string>;
  fileName: Text;
  addedAt: Generated<Date>;
  addedBy: number;
  removedAt: Optional<Date>;
  removedBy: Optional<number>;
  removedReason: Text;
}
/** Never changes. */
interface ReferenceRepairTable {
  id: Generated<string>;
  referenceId: string;
  onDay: string;
  note: string;
  addedAt: Generated<Date>;
  addedBy: number;
}

export interface ReferenceTables {
  reference: ReferenceTable;
  referenceVerification: ReferenceVerificationTable;
  referenceRepair: ReferenceRepairTable;
}
