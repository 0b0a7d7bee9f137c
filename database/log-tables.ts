// The tables of the transparency log, as Kysely sees them.
import type { ColumnType } from 'kysely';

export interface LogLeafTable {
  index: number;
  entry: string;
  hash: Buffer;
}
export interface RecordLeafTable {
  leafIndex: number;
  recordTable:
    | 'vehicle'
    | 'calibration'
    | 'calibration_set'
    | 'visit'
    | 'visit_decision'
    | 'check_visit'
    | 'validation'
    | 'vehicle_file'
    | 'technician'
    | 'suspension'
    | 'policy'
    | 'policy_proposal'
    | 'reference'
    | 'reference_verification'
    | 'reference_repair'
    | 'reference_withdrawal';
  recordKey: string;
}
export interface HistorySweepTable {
  begunAt: Date | null;
  endedAt: Date | null;
  vehicles: number;
  afterId: string;
}
export interface HistoryCheckTable {
  vehicleId: string;
  findings: string[];
  checkedAt: Date;
}
export interface LogChainTable {
  vehicleId: string;
  salt: string;
  commitment: string;
  length: number;
  head: string;
}
export interface LeafOpeningTable {
  leafIndex: number;
  field: string;
  salt: string | null;
  value: unknown;
  erasedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
}
