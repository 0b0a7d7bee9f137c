// The tables of the transparency log, as Kysely sees them.
import type { OptionalInstant } from './column-types.ts';

/** The tables whose records the public log covers. */
export const RECORDS = [
  'vehicle',
  'calibration',
  'calibration_set',
  'visit',
  'visit_decision',
  'check_visit',
  'validation',
  'vehicle_file',
  'former_plate',
  'joined_record',
  'admin',
  'technician',
  'suspension',
  'policy',
  'policy_proposal',
  'reference',
  'reference_verification',
  'reference_repair',
  'reference_withdrawal',
  'wrong_report',
] as const;
export type RecordTable = (typeof RECORDS)[number];

interface LogLeafTable {
  index: number;
  entry: string;
  hash: Buffer;
}
interface RecordLeafTable {
  leafIndex: number;
  recordTable: RecordTable;
  recordKey: string;
}
interface HistorySweepTable {
  begunAt: Date | null;
  endedAt: Date | null;
  vehicles: number;
  afterId: string;
}
interface HistoryCheckTable {
  vehicleId: string;
  findings: string[];
  checkedAt: Date | null;
}
interface LogChainTable {
  vehicleId: string;
  salt: string;
  commitment: string;
  length: number;
  head: string;
}
interface LeafOpeningTable {
  leafIndex: number;
  field: string;
  salt: string | null;
  value: unknown;
  erasedAt: OptionalInstant;
}

/** The last checkpoint that was signed on a day. `note`: verbatim. */
interface SignedDayTable {
  day: string;
  size: number;
  note: string;
  signedAt: Date;
}

export interface LogTables {
  logLeaf: LogLeafTable;
  recordLeaf: RecordLeafTable;
  historySweep: HistorySweepTable;
  historyCheck: HistoryCheckTable;
  logChain: LogChainTable;
  leafOpening: LeafOpeningTable;
  signedDay: SignedDayTable;
}
