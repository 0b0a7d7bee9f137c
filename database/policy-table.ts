// The versions of the registry's policy, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';

export interface PolicyTable {
  version: number;
  intervalDays: number;
  dueSoonDays: number;
  tolerancePerMille: number;
  toleranceKg: number;
  reason: Generated<string>;
  changedAt: Generated<Date>;
  changedBy: ColumnType<number | null, number | null | undefined, number | null>;
}
