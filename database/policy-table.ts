// The versions of the registry's policy, and proposals of one, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';
import type { Optional } from './column-types.ts';

type Evidence = {
  longestIntervalDays: number;
  promptDays: number;
  everyVisitWaits: boolean;
  /** Missing in versions from before visits were drawn to be checked. */
  checkVisitsPerMille?: number;
  checks: Readonly<Record<string, string>>;
};

interface PolicyTable {
  version: number;
  intervalDays: number;
  dueSoonDays: number;
  tolerancePerMille: number;
  toleranceKg: number;
  /** Null in versions from before there were rules of evidence. */
  evidence: Optional<Evidence>;
  reason: Generated<string>;
  changedAt: Generated<Date>;
  changedBy: Optional<number>;
}

interface PolicyProposalTable {
  id: Generated<string>;
  baseVersion: number;
  intervalDays: number;
  dueSoonDays: number;
  tolerancePerMille: number;
  toleranceKg: number;
  evidence: Evidence;
  reason: string;
  proposedBy: number;
  proposedAt: Date;
  /** Null: another admin must confirm it. */
  takesEffectAt: Date | null;
  outcome: ColumnType<
    'confirmed' | 'took-effect' | 'withdrawn' | null,
    undefined,
    'confirmed' | 'took-effect' | 'withdrawn'
  >;
  endedAt: ColumnType<Date | null, undefined, Date>;
  endedBy: ColumnType<number | null, undefined, number | null>;
}

export interface PolicyTables {
  policy: PolicyTable;
  policyProposal: PolicyProposalTable;
}
