// The versions of the registry's policy, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';

type Evidence = {
  longestIntervalDays: number;
  promptDays: number;
  everyVisitWaits: boolean;
  checks: Readonly<Record<string, string>>;
};

export interface PolicyTable {
  version: number;
  intervalDays: number;
  dueSoonDays: number;
  tolerancePerMille: number;
  toleranceKg: number;
  /** Null in versions from before there were rules of evidence. */
  evidence: ColumnType<Evidence | null, Evidence | null | undefined, Evidence | null>;
  reason: Generated<string>;
  changedAt: Generated<Date>;
  changedBy: ColumnType<number | null, number | null | undefined, number | null>;
}
