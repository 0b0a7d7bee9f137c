// The tables of the transparency log, as Kysely sees them.
import type { RecordTable } from '#app/transparency-log/record-snapshot.server.ts';
import type { OptionalInstant } from './column-types.ts';

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

export interface LogTables {
  logLeaf: LogLeafTable;
  recordLeaf: RecordLeafTable;
  historySweep: HistorySweepTable;
  historyCheck: HistoryCheckTable;
  logChain: LogChainTable;
  leafOpening: LeafOpeningTable;
}
