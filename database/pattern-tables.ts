// The tables of patterns, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';

export type FindingState = 'open' | 'asked' | 'decided';
export type FindingStep = 'opened' | 'asked' | 'answered' | 'decided';

/** What is usual in a registry, as numbers that can be kept: a small sample is held against it. */
export type UsualNumbers = {
  /** Of each pattern that is held against the others: the mean, and how much people differ in it. */
  usual: { [pattern in string]?: { mean: number; rho: number } };
  cellChance: readonly number[];
  meetingChance: readonly number[];
};

/** A look at the whole of a night. */
interface PatternLookTable {
  night: string;
  methodVersion: number;
  lookedAt: Date;
  visits: number;
  tests: number;
  /** What was usual. Written as JSON text. */
  ground: ColumnType<UsualNumbers, string, never>;
}
/** What a visit adds to a pattern by itself. */
interface PatternSeenTable {
  visitId: string;
  pattern: string;
  methodVersion: number;
  n: number;
  hits: number;
  p: number;
}
/** How far visits were looked at as they closed. One row. */
interface PatternProgressTable {
  onlyRow: Generated<boolean>;
  closedAt: Date;
  visitId: string;
}
/** A reason to look at the visits of a person. */
interface PatternFindingTable {
  id: Generated<string>;
  pattern: string;
  methodVersion: number;
  /** What it is about: it is kept once. */
  key: string;
  /** Null once the person is erased. */
  personId: string | null;
  visitIds: string[];
  /** Cases that could have shown it, and those that did. */
  n: number;
  hits: number;
  /** The chance of as much where nothing is behind it. */
  p: number;
  /** Written as JSON text. */
  facts: ColumnType<Record<string, number>, string, string>;
  foundOn: string;
  foundAt: Date;
  state: Generated<FindingState>;
  outcome: Generated<string>;
}
/** What an admin or the technician did about a finding. */
interface PatternStepTable {
  id: Generated<number>;
  findingId: string;
  step: FindingStep;
  outcome: Generated<string>;
  words: Generated<string>;
  isAlone: Generated<boolean>;
  actorId: number;
  onDay: string;
  at: Date;
}

export interface PatternTables {
  patternLook: PatternLookTable;
  patternSeen: PatternSeenTable;
  patternProgress: PatternProgressTable;
  patternFinding: PatternFindingTable;
  patternStep: PatternStepTable;
}
