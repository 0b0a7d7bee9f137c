// The tables as Kysely sees them, column for column as in database/migrations. CamelCasePlugin maps the names.
import type { ColumnType, Generated } from 'kysely';
import type { AccountTables } from './account-tables.ts';
import type { Day, Instant, Optional, OptionalInstant, Text } from './columns.ts';
import type { FollowerTables } from './follower-tables.ts';
import type { LogTables } from './log-tables.ts';

/** One changed field of a record, as the log stores it. */
export interface ActivityChange {
  field: string;
  from: string | boolean | number | null;
  to: string | boolean | number | null;
}
type Origin = Generated<'recorded' | 'imported'>;

/** A record that people add, edit and remove. */
interface Edited {
  version: Generated<number>;
  addedAt: OptionalInstant;
  addedBy: Optional<number>;
  updatedAt: OptionalInstant;
  updatedBy: Optional<number>;
  deletedAt: OptionalInstant;
  deletedBy: Optional<number>;
}
/** Who asks to be a technician, or is one. */
interface Applicant {
  email: string;
  companyName: Text;
  abn: Text;
  tradeLicenceNum: Text;
  address: Text;
  repName: Text;
  repContact: Text;
  origin: Origin;
  requestedAt: OptionalInstant;
}

export interface Tables extends AccountTables, FollowerTables, LogTables {
  /** A human being, the same over all their changes of name and email. */
  person: {
    id: Generated<string>;
    email: string | null;
    createdAt: Generated<Date>;
  };
  /** What a person was called when they acted. Records refer to actors (docs/decisions/0003). */
  actor: {
    id: Generated<number>;
    personId: string;
    name: string;
    email: Text;
    erasedAt: OptionalInstant;
  };
  activityState: {
    onlyRow: boolean;
    size: number;
    lastAt: Date;
    leafSize: Generated<number>;
    leafAt: Generated<Date>;
    leafFrontier: Generated<Buffer[]>;
    beforeLog: Generated<boolean>;
  };
  /**
   * The index is assigned under the lock of one row, held to the commit, so it has no gaps and is in commit order. A
   * trigger refuses UPDATE, DELETE and TRUNCATE.
   */
  activityLog: {
    index: number;
    at: Date;
    occurredAt: Date;
    kind: string;
    origin: 'recorded' | 'imported';
    actorId: number | null;
    subject: string;
    subjectId: string;
    /** The rego of the vehicle it concerns; '' for none, null where only the topics name it (`activity_vehicle`). */
    rego: string | null;
    topics: string[];
  };
  /**
   * The texts and changed fields of an entry, in a table of their own as they may hold personal data. The only UPDATE
   * allowed is the one that erases them, once; the page then says since when.
   */
  activityDetail: {
    index: number;
    action: string;
    details: string;
    changes: ActivityChange[] | null;
    erasedAt: OptionalInstant;
  };
  /** A file never changes: its key holds the hash of its bytes. */
  storedFile: {
    id: Generated<string>;
    storageKey: string;
    sha256: string;
    sourceSha256: string;
    mediaType: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp';
    size: number;
    width: Optional<number>;
    height: Optional<number>;
    thumbnailKey: Optional<string>;
    createdAt: Generated<Date>;
  };
  admin: Edited & {
    id: Generated<string>;
    personId: string;
    email: string;
    name: Text;
    phone: Text;
    address: Text;
    bornOn: Day;
    roleLabel: Text;
    gender: Text;
    notes: Text;
    imageId: Optional<string>;
    imageUrl: Text;
    legacyUid: Text;
    origin: Origin;
  };
  application: Applicant & {
    id: Generated<string>;
    decision: Optional<'approved' | 'deleted'>;
    decidedAt: OptionalInstant;
    decidedBy: Optional<number>;
    decisionReason: Text;
    formKey: Optional<string>;
  };
  technician: Applicant &
    Edited & {
      id: Generated<string>;
      personId: string;
      applicationId: Optional<string>;
      legacyUid: Text;
      bornOn: Day;
      gender: Text;
      notes: Text;
      imageId: Optional<string>;
    };
  /**
   * The rego is unique among vehicles that are not removed. `deletedAt` removes a vehicle; rows are never deleted. The
   * version counts the edits of all vehicles that have had the rego, so that a form opened on a removed one is stale.
   */
  vehicle: Edited & {
    id: Generated<string>;
    rego: string;
    vin: Text;
    scaleSerialNumber: Text;
    /** As `axleGroupsText` writes them. */
    axleGroups: Text;
    fittedLocation: Text;
    fittedOn: Day;
    warrantyExpiresOn: Day;
    companyName: Text;
    driverName: Text;
    notes: Text;
    make: Text;
    model: Text;
    nextCalibrationDueOn: Day;
    calibrationValidated: Generated<boolean>;
    lastCalibratedAt: OptionalInstant;
    /** A generated column. */
    isCalibrated: ColumnType<boolean, never, never>;
    origin: Origin;
  };
  /** The history of 'calibration validated': one row for each change. */
  validation: {
    id: Generated<number>;
    vehicleId: string;
    validated: boolean;
    nextDueOn: Day;
    reason: Text;
    origin: Origin;
    decidedAt: Generated<Date>;
    decidedBy: Optional<number>;
  };
  /**
   * One reading. `(rego, id)` names it for ever; the id is the millisecond of recording. The value is text, exactly as
   * entered.
   */
  calibration: {
    rego: string;
    id: number;
    vehicleId: string;
    setId: Optional<string>;
    axle: 'STEER' | 'DRIVE' | 'TRAILERA' | 'TRAILERB';
    attribute: 'Empty Volt' | 'Loaded Volt' | 'Empty Weight' | 'Loaded Weight';
    value: string;
    dueOn: Day;
    calibratedAt: Instant;
    technicianId: Optional<number>;
    origin: Origin;
    statedAtText: Text;
    correctsId: Optional<number>;
    correctionReason: Text;
    recordedAt: Generated<Date>;
  };
  /**
   * A visit that was recorded in one form. Its readings are ordinary calibrations with its `setId`, so code that shows
   * readings need not know about sets. A trigger refuses UPDATE, DELETE and TRUNCATE: a correction corrects a single
   * reading.
   */
  calibrationSet: {
    id: Generated<string>;
    vehicleId: string;
    visitedAt: Instant;
    technicianId: number;
    weighbridge: Text;
    ticketNumber: Text;
    liftAxle: Generated<'' | 'none' | 'raised' | 'lowered'>;
    notes: Text;
    photoId: Optional<string>;
    photoSha256: Optional<string>;
    photoName: Text;
    /** Written as JSON text. */
    axles: ColumnType<unknown, string, never>;
    recordedAt: Generated<Date>;
  };
  /** The use of a file for a vehicle: its role, its position, and when it was added and removed. */
  vehicleFile: {
    id: Generated<string>;
    vehicleId: string;
    role: 'certificate' | 'image';
    fileId: Optional<string>;
    externalUrl: Text;
    uploadedName: Text;
    position: Generated<number>;
    addedAt: Generated<Date>;
    addedBy: Optional<number>;
    removedAt: OptionalInstant;
    removedBy: Optional<number>;
  };
  policy: {
    version: number;
    intervalDays: number;
    dueSoonDays: number;
    tolerancePerMille: number;
    toleranceKg: number;
    reason: Text;
    changedAt: Generated<Date>;
    changedBy: Optional<number>;
  };
  /** The result of importing each record of the export, and its fields that the registry has no column for. */
  importRecord: {
    key: string;
    hash: string;
    targetId: Text;
    targetVersion: Generated<number>;
    unplaced: unknown;
    importedAt: Generated<Date>;
  };
  /** Indexes that a large import has dropped until its end (docs/decisions/0014). */
  deferredIndex: {
    name: string;
    definition: string;
  };
}
