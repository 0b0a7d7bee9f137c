// The register of weighbridges (in code: references), as Kysely sees it.
import type { ColumnType, Generated } from 'kysely';
import type { Optional, Text } from './column-types.ts';

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

/** `reason`: public; `note`: for admins. A trigger refuses all but the next decision, and how far it is applied. */
interface ReferenceWithdrawalTable {
  id: Generated<string>;
  referenceId: string;
  /** Both days are covered. */
  fromOn: string;
  toOn: string;
  reason: 'out of tolerance' | 'verification revoked' | 'instrument repaired without verification' | 'record was wrong';
  note: Text;
  proposedBy: number;
  proposedAt: Date;
  droppedBy: Optional<number>;
  droppedAt: Optional<Date>;
  /** In force from then on. */
  confirmedBy: Optional<number>;
  confirmedAt: Optional<Date>;
  /** No other admin could have confirmed. */
  isAlone: Generated<boolean>;
  liftProposedBy: Optional<number>;
  liftProposedAt: Optional<Date>;
  liftedBy: Optional<number>;
  liftedAt: Optional<Date>;
  isLiftAlone: Generated<boolean>;
  /** The last visit, by day and id, that it was applied to, or lifted from. */
  appliedOn: Optional<string>;
  appliedThrough: Optional<string>;
  appliedAt: Optional<Date>;
  liftAppliedAt: Optional<Date>;
}

export interface ReferenceTables {
  reference: ReferenceTable;
  referenceVerification: ReferenceVerificationTable;
  referenceRepair: ReferenceRepairTable;
  referenceWithdrawal: ReferenceWithdrawalTable;
}
