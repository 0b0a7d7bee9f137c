// The versions of the registry's policy, and proposals of one, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';
import type { Optional } from './column-types.ts';

type Evidence = {
  longestIntervalDays: number;
  promptDays: number;
  everyVisitWaits: boolean;
  /** Missing in versions from before visits were drawn to be checked. */
  checkVisitsPerMille?: number;
  /** Missing in versions from before errors were told. */
  assumedIntervalKg?: number;
  checks: Readonly<Record<string, string>>;
};

type Limits = Record<'intervalDays' | 'dueSoonDays' | 'tolerancePerMille' | 'toleranceKg', number>;

interface PolicyTable extends Limits {
  version: number;
  /** Null in versions from before there were rules of evidence. */
  evidence: Optional<Evidence>;
  reason: Generated<string>;
  changedAt: Generated<Date>;
  changedBy: Optional<number>;
}

type Outcome = 'confirmed' | 'took-effect' | 'withdrawn';

interface PolicyProposalTable extends Limits {
  id: Generated<string>;
  baseVersion: number;
  evidence: Evidence;
  reason: string;
  proposedBy: number;
  proposedAt: Date;
  /** Null: another admin must confirm it. */
  takesEffectAt: Date | null;
  outcome: ColumnType<Outcome | null, undefined, Outcome>;
  endedAt: ColumnType<Date | null, undefined, Date>;
  endedBy: ColumnType<number | null, undefined, number | null>;
}

export interface PolicyTables {
  policy: PolicyTable;
  policyProposal: PolicyProposalTable;
}
