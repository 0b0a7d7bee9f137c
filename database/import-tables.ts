import type { Generated } from 'kysely';

/** What became of each record of the export, with the fields that have no place here. */
export interface ImportRecordTable {
  key: string;
  hash: string;
  targetId: Generated<string>;
  targetVersion: Generated<number>;
  unplaced: unknown;
  importedAt: Generated<Date>;
}

/** What a large import left out, until its end (docs/decisions/0014). */
export interface DeferredIndexTable {
  name: string;
  definition: string;
}
