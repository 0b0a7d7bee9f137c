// The tables of visits and check visits, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';
import type { FromVehicle, Instant, Optional, OptionalInstant, Origin, Text } from './column-types.ts';

/** A calibration set, or the single readings of one technician on one truck within 12 hours. */
export interface VisitTable extends FromVehicle {
  /** That of the calibration set, where there is one. */
  id: Generated<string>;
  vehicleId: string;
  technicianId: Optional<number>;
  visitedAt: Instant;
  visitedOn: string;
  openedAt: ColumnType<Date, Date | string | undefined, never>;
  closedAt: Optional<Date>;
  /** The earliest of its entries; null while it is open. */
  dueOn: Optional<string>;
  /** Set by an admin instead of `dueOn`; or kept when a newer visit was corrected and counts no more. */
  handDueOn: Optional<string>;
  /** The newer visit whose due date `handDueOn` is; null where an admin set it. */
  dueKeptFrom: Optional<string>;
  waitsSince: Optional<Date>;
  state: 'open' | 'counts' | 'partial' | 'waits' | 'accepted' | 'set-aside' | 'taken-over';
  /** What the checks alone say. */
  judged: Optional<'counts' | 'partial' | 'waits'>;
  /** Written as JSON text. */
  checks: ColumnType<unknown, string | null | undefined, string | null>;
  policyVersion: Optional<number>;
  vin: Generated<string>;
  isConfirmed: Generated<boolean>;
  referenceId: Optional<string>;
  /** A late correction moved its due date later, and nobody decided yet. */
  isStretched: Generated<boolean>;
  /** Its state without the withdrawals that hold it back; null while none does. */
  beforeRecall: Optional<'counts' | 'accepted'>;
  /** What the check 'reference' answers without a withdrawal, none or one; null while none covers it. As `checks`. */
  withoutRecall: ColumnType<unknown, string | null | undefined, string | null>;
  /** When an admin hid the photo of its set. */
  photoHiddenAt: Optional<Date>;
  origin: Origin;
}

/** What an admin decided about a visit. A trigger refuses UPDATE and DELETE. */
export interface VisitDecisionTable {
  id: Generated<number>;
  visitId: string;
  decision: 'accepted' | 'set-aside';
  /** Of a closed list, public; '' where no check had failed. */
  reason: Generated<string>;
  /** For admins. */
  note: Generated<string>;
  /** No other admin could have looked. */
  isAlone: boolean;
  decidedBy: number;
  decidedAt: Generated<Date>;
}

/** A truck that is to be weighed again by somebody else. A trigger refuses all but its end, a join, no note. */
interface CheckVisitTable extends FromVehicle {
  id: Generated<string>;
  vehicleId: string;
  /** The visit that is to be checked. */
  visitId: string;
  why: 'asked' | 'drawn';
  /** Null: it was drawn. */
  askedBy: Optional<number>;
  askedAt: Date;
  /** The last day on which it is wanted. */
  untilOn: string;
  /** For admins. No leaf covers it. */
  note: Generated<string>;
  state: Generated<'open' | 'done' | 'lapsed' | 'withdrawn'>;
  endedAt: Optional<Date>;
  /** Who withdrew it, or removed the truck. */
  endedBy: Optional<number>;
  /** The visit that closed it. */
  closedBy: Optional<string>;
  result: Optional<'agrees' | 'disagrees' | 'cannot be told'>;
}

/** Which visits have which four readings of an axle group. Derived, so no leaf covers it. */
export interface AxleFingerprintTable {
  fingerprint: string;
  vehicleId: string;
  visitId: string | null;
  axle: string;
  /** Empty volts and weight, loaded volts and weight, with the decimals that were typed. */
  readings: string[] | null;
}

/** How far vehicles from before there were visits are taken over. One row. */
export interface TakingOverTable {
  onlyRow: Generated<boolean>;
  afterId: string;
  doneAt: Optional<Date>;
}

/**
 * A visit that was recorded in one form. Its readings are ordinary calibrations with its `setId`, so code that shows
 * readings need not know about sets. A trigger refuses UPDATE, DELETE and TRUNCATE: a correction corrects a single
 * reading.
 */
interface CalibrationSetTable extends FromVehicle {
  id: Generated<string>;
  vehicleId: string;
  visitedAt: Instant;
  technicianId: number;
  weighbridge: Text;
  ticketNumber: Text;
  liftAxle: Generated<'' | 'none' | 'raised' | 'lowered'>;
  firmware: Text;
  settingsLocked: Text;
  /** 'number place; …', as typed. */
  sealsFound: Text;
  sealsLeft: Text;
  sealsReason: Text;
  /** Groups of trailers that were not behind the truck, as `axleGroupsText` writes them. */
  notBehind: Optional<string>;
  /** As `trailersText` writes them. */
  trailers: Optional<string>;
  /** As `weighingsText` writes them. */
  weighings: Optional<string>;
  /** The id of the first of the visits that were recorded with one press. */
  together: Optional<string>;
  notes: Text;
  photoId: Optional<string>;
  photoSha256: Optional<string>;
  /** As the stored file's. */
  photoDhash: Optional<string>;
  photoName: Text;
  /** Written as JSON text. */
  axles: ColumnType<unknown, string, never>;
  recordedAt: Generated<Date>;
  /** Of its form, and of what was typed into it. Null: no form recorded it, or one of before did. */
  captureId: Optional<string>;
  captureSha256: Optional<string>;
  /** Of a visit that was captured on a phone and sent later; null for others. */
  capturedAt: OptionalInstant;
  receivedAt: OptionalInstant;
  capturedBy: Optional<number>;
  /** The photos beside the first. */
  morePhotoIds: Optional<string[]>;
  morePhotoSha256s: Optional<string[]>;
}
export interface VisitTables {
  calibrationSet: CalibrationSetTable;
  takingOver: TakingOverTable;
  restsEntered: TakingOverTable;
  visit: VisitTable;
  visitDecision: VisitDecisionTable;
  checkVisit: CheckVisitTable;
  axleFingerprint: AxleFingerprintTable;
}
