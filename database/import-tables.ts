import type { Generated } from 'kysely';

/** The result of importing each record of the export, and its fields that the registry has no column for. */
export interface ImportRecordTable {
  key: string;
  hash: string;
  targetId: Generated<string>;
  targetVersion: Generated<number>;
  unplaced: unknown;
  importedAt: Generated<Date>;
}

/** Indexes that a large import has dropped until its end (docs/decisions/0014). */
export interface DeferredIndexTable {
  name: string;
  definition: string;
}
