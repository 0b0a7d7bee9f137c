// What concurrent clients do in a history, what came of it, and what the logs say of it: plain values, so that a
// history can be replayed in a model, compared and printed.
import type { Axle } from '#app/vehicles/axle.ts';
import type { CalibrationAttribute } from '#app/readings/calibration.ts';
import type { Decision, DecisionReason, VisitState } from '#app/visits/visit.ts';
import type { CheckRule } from '#app/policy/policy.ts';
import type { RemovalDecision } from '#app/admins/remove-admin.server.ts';
import type { WithdrawalDecision } from '#app/withdrawals/decide-withdrawal.server.ts';
import type { Role } from '#app/access/permissions.ts';

/**
 * A vehicle as an update form or a list of removed ones has it. `mark` is unique to its registration, and never
 * changes.
 */
export type Opened = {
  id: string;
  mark: string;
  version: number;
  notes: string;
  dueOn: string | null;
  validated: boolean;
};

/** The rules of the policy that histories change. */
export type Rules = { plausible: CheckRule; everyVisitWaits: boolean };

export type Reading = { axle: Axle; attribute: CalibrationAttribute; value: string; dueOn: string | null };

/**
 * `key`: the form's; one that is sent twice has one effect. `at`: the clock's milliseconds; absent: the server's own.
 * `today`: the day of the verdict that an answer shows. `visit`: when it was opened, which names it.
 */
export type VehicleOperation =
  | { do: 'open'; rego: string; today: string }
  | {
      do: 'register';
      rego: string;
      mark: string;
      notes: string;
      validated: boolean;
      dueOn: string | null;
      key: string;
    }
  | {
      do: 'update';
      rego: string;
      form: Opened;
      key: string;
      notes: string;
      validated: boolean;
      dueOn: string | null;
      reason: string;
      today: string;
    }
  | { do: 'remove'; rego: string; key: string }
  | { do: 'restore'; rego: string; id: string; mark: string; key: string }
  | { do: 'decide'; rego: string; validated: boolean; reason: string; key: string }
  | { do: 'record'; rego: string; reading: Reading; at: number; key: string }
  /** Four readings of one axle group. `weighedOn`: a weighbridge of the register. */
  | {
      do: 'record set';
      rego: string;
      readings: readonly Reading[];
      daysAgo: number;
      weighedOn: Weighbridge | null;
      at: number;
      key: string;
    }
  | { do: 'finish'; rego: string; visit: number; id: string; at: number; key: string }
  | { do: 'correct'; rego: string; id: number; reading: Reading; reason: string; at: number; key: string }
  | {
      do: 'decide visit';
      rego: string;
      visit: number;
      id: string;
      decision: Decision;
      reason: DecisionReason | '';
      openedState: VisitState;
      at: number;
      key: string;
    }
  /** What the housekeeping does to one visit. */
  | { do: 'expire'; rego: string; visit: number; at: number }
  /** An import of this truck alone; `visits`: which its new entries became, by the first of them. */
  | { do: 'import'; rego: string; edition: Edition; visits: Readonly<Record<number, number>> }
  /** What a withdrawal, or its lift, does to visits of one rego, in a block of them; `kind`: which the log says. */
  | { do: 'apply withdrawal'; rego: string; visits: readonly number[]; kind: string; email: string };

/** A truck as an export has it. Each edition has four more readings, and another due date. */
export type Edition = {
  number: number;
  mark: string;
  dueOn: string | null;
  readings: readonly (Reading & { id: number })[];
};

export type Weighbridge = { id: string; line: string };

/** `mark`: the reason, which names a proposal. */
export type PolicyOperation =
  | { do: 'open rules' }
  | { do: 'change rules'; version: number; rules: Rules; mark: string; key: string }
  | { do: 'confirm rules'; id: string; mark: string; key: string }
  | { do: 'withdraw rules'; id: string; mark: string; key: string };

/** On a weighbridge's withdrawals; `mark` names one. */
export type ReferenceOperation =
  | { do: 'withdraw'; reference: string; mark: string; fromOn: string; toOn: string; at: number; key: string }
  | { do: 'decide withdrawal'; id: string; mark: string; decision: WithdrawalDecision; at: number; key: string };

/** What the registry does by itself, of all trucks. */
export type ServerOperation = { do: 'close expired' | 'apply withdrawals'; at: number };

export type PeopleOperation =
  | { do: 'request'; email: string; mark: string; key: string }
  | { do: 'approve'; email: string; key: string }
  | { do: 'turn down'; email: string; key: string }
  | { do: 'remove technician'; email: string; key: string }
  | { do: 'suspend'; email: string; from: string; mark: string; key: string }
  | { do: 'lift'; email: string; from: string; id: string; mark: string; key: string }
  | { do: 'add admin'; email: string; mark: string; key: string }
  | { do: 'remove admin'; email: string; key: string }
  /** `id`: the removal that was open when the client looked. */
  | { do: 'decide removal'; email: string; id: string; decision: RemovalDecision; key: string }
  | { do: 'open profile'; email: string; recordId: string }
  | { do: 'update profile'; email: string; recordId: string; version: number; address: string; key: string };

export type Operation = VehicleOperation | PeopleOperation | PolicyOperation | ReferenceOperation | ServerOperation;

/** Who does it. */
export type Client = { email: string; name: string; role: Exclude<Role, 'public'> };

type Plain = string | number | boolean | null;
/** What the product answered; `error`: something that nobody may ever see. */
export type Outcome = Readonly<Record<string, Plain>>;

/** One operation as it went: `from` and `to` count all beginnings and ends of the history in one order. */
export type Call<Op extends Operation = Operation> = {
  by: Client;
  operation: Op;
  from: number;
  to: number;
  outcome: Outcome;
};

export type Change = { field: string; from: Plain; to: Plain };
/** An entry of the activity log, with the leaves of the transparency log that its write appended. */
export type Entry = {
  kind: string;
  by: string;
  details: string;
  changes: readonly Change[];
  leaves: readonly Outcome[];
};
