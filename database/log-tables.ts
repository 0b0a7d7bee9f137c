// The tables of the transparency log, as Kysely sees them.
import type { OptionalInstant } from './columns.ts';

export interface LogTables {
  logLeaf: {
    index: number;
    entry: string;
    hash: Buffer;
  };
  recordLeaf: {
    leafIndex: number;
    recordTable:
      | 'vehicle'
      | 'calibration'
      | 'calibration_set'
      | 'validation'
      | 'vehicle_file'
      | 'technician'
      | 'policy';
    recordKey: string;
  };
  logChain: {
    vehicleId: string;
    salt: string;
    commitment: string;
    length: number;
    head: string;
  };
  leafOpening: {
    leafIndex: number;
    field: string;
    salt: string | null;
    value: unknown;
    erasedAt: OptionalInstant;
  };
}
