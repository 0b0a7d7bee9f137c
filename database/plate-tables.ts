// The tables of plates and of joined records, as Kysely sees them.
import type { Generated } from 'kysely';
import type { Day, FromVehicle, Instant, Optional } from './column-types.ts';

type Why = 'sold' | 'another-state' | 'lost' | 'personalised' | 'typed-wrong';

/** A plate that a vehicle had, one for each change. A trigger refuses all but a change of its record by a join. */
interface FormerPlateTable extends FromVehicle {
  id: Generated<number>;
  /** Null: of a join that was undone. */
  vehicleId: string | null;
  rego: string;
  state: string;
  /** Null: from before. */
  sinceOn: Day;
  untilOn: string;
  why: Why | 'joined';
  changedAt: Instant;
  changedBy: number;
  /** The admin who looked. */
  confirmedBy: Optional<number>;
}
/** A change that waits for an admin, or did. */
interface PlateRequestTable {
  id: Generated<string>;
  vehicleId: string;
  rego: string;
  state: string;
  fromOn: string;
  why: Why;
  askedBy: number;
  askedAt: Instant;
  ended: Optional<'confirmed' | 'declined'>;
  endedAt: Optional<Date>;
  endedBy: Optional<number>;
}

/** A join of two records: asked for, then done or declined; done, it may be undone. */
interface JoinedRecordTable {
  id: Generated<string>;
  /** The record that is closed. */
  vehicleId: string;
  keptId: string;
  askedBy: number;
  askedAt: Instant;
  declinedBy: Optional<number>;
  declinedAt: Optional<Date>;
  joinedBy: Optional<number>;
  joinedAt: Optional<Date>;
  /** No other admin could have looked. */
  isAlone: Generated<boolean>;
  /** What the kept record had before. */
  keptDueOn: Optional<string>;
  keptRestsOn: Generated<'' | 'visit' | 'nothing'>;
  partedBy: Optional<number>;
  partedAt: Optional<Date>;
}
/** Two live records with one VIN that are two trucks, as an admin said. */
interface TwoTrucksTable {
  firstId: string;
  secondId: string;
  vin: string;
  saidBy: number;
  saidAt: Instant;
}

export interface PlateTables {
  joinedRecord: JoinedRecordTable;
  twoTrucks: TwoTrucksTable;
  formerPlate: FormerPlateTable;
  plateRequest: PlateRequestTable;
}
