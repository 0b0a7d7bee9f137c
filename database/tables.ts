// The tables as Kysely sees them, column for column as in database/migrations. CamelCasePlugin maps the names.
import type { ColumnType, Generated } from 'kysely';
import type { AccountTables } from './account-tables.ts';
import type {
  Axle,
  Day,
  Edited,
  FromVehicle,
  Instant,
  Optional,
  OptionalInstant,
  Origin,
  Text,
} from './column-types.ts';
import type { FollowerTables } from './follower-tables.ts';
import type { LogTables } from './log-tables.ts';
import type {
  AdminRemovalTable,
  ApplicationTable,
  StaffTable,
  SuspensionTable,
  TechnicianTable,
} from './people-tables.ts';
import type { PatternTables } from './pattern-tables.ts';
import type { PlateTables } from './plate-tables.ts';
import type { VisitTables } from './visit-tables.ts';
import type { PolicyTables } from './policy-table.ts';
import type { ReferenceTables } from './reference-tables.ts';
import type { ReportTables } from './report-tables.ts';

/** A human being, the same over all their changes of name and email. */
export interface PersonTable {
  id: Generated<string>;
  email: string | null;
  createdAt: Generated<Date>;
}
/** What a person was called when they acted. Records refer to actors (docs/decisions/0003). */
export interface ActorTable {
  id: Generated<number>;
  personId: string;
  name: string;
  email: Text;
  erasedAt: OptionalInstant;
  /** Made by a trigger (`commit_to_actor`): what the chain of the activity log names. Null: erased. */
  salt: Generated<Buffer | null>;
  commitment: Generated<Buffer>;
}
export interface ActivityStateTable {
  onlyRow: boolean;
  size: number;
  lastAt: Date;
  leafSize: Generated<number>;
  leafAt: Generated<Date>;
  leafFrontier: Generated<Buffer[]>;
  beforeLog: Generated<boolean>;
  /** The first entry that is in the chain, and the hash of all before it. */
  chainFrom: Generated<number>;
  chainStart: Generated<Buffer>;
  /** The hash of the last entry. */
  head: Generated<Buffer>;
  /** How many entries the last head in the public log covers; null: it has none yet. */
  headLogged: ColumnType<number | null, never, number | null>;
}
/**
 * The index is assigned under the lock of one row, held to the commit, so it has no gaps and is in commit order. A
 * trigger refuses UPDATE, DELETE and TRUNCATE.
 */
export interface ActivityLogTable {
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
  /** Of the entry before and of this one (`append_activity`); null: from before the chain. */
  hash: Buffer | null;
}
/**
 * The texts and changed fields of an entry, in a table of their own as they may hold personal data. The only UPDATE
 * allowed is the one that erases them, once; the page then says since when.
 */
export interface ActivityDetailTable {
  index: number;
  action: string;
  details: string;
  changes: ActivityChange[] | null;
  erasedAt: OptionalInstant;
  /** What the chain commits to, and its salt, which is erased with the words. */
  salt: Buffer | null;
  commitment: Buffer | null;
}
/** One changed field of a record, as the log stores it. */
export interface ActivityChange {
  field: string;
  from: string | boolean | number | null;
  to: string | boolean | number | null;
}
/** A file never changes: its key holds the hash of its bytes. */
export interface StoredFileTable {
  id: Generated<string>;
  storageKey: string;
  sha256: string;
  sourceSha256: string;
  mediaType: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp';
  size: number;
  width: Optional<number>;
  height: Optional<number>;
  thumbnailKey: Optional<string>;
  /** Of a picture: 64 bits as text, '0' or '1' each. */
  dhash: Optional<string>;
  createdAt: Generated<Date>;
}
/**
 * The rego is unique among vehicles that are not removed: the plate's text, with the state behind it where another
 * vehicle has the text (123ABC-QLD). `deletedAt` removes a vehicle; rows are never deleted. The
 * version counts the edits of all vehicles that have had the rego, so that a form opened on a removed one is stale.
 */
export interface VehicleTable extends Edited {
  id: Generated<string>;
  rego: string;
  /** '': not known. */
  plateState: Text;
  vin: Text;
  scaleSerialNumber: Text;
  /** As `axleGroupsText` writes them. */
  axleGroups: Text;
  /** As `detailsText` writes them. */
  groupDetails: Text;
  /** '': a truck. */
  kind: Text;
  /** '': its own, or not said. */
  scaleUnit: Text;
  scaleMake: Text;
  scaleModel: Text;
  /** A, B or C of TCA, or 'none'; '': not known. */
  scaleCategory: Text;
  conformanceCertificate: Text;
  firmware: Text;
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
  /** What the due date rests on: '' is what was taken over as it stood. */
  restsOn: Generated<'' | 'visit' | 'nothing'>;
  lastCalibratedAt: OptionalInstant;
  /** The record with which it was joined, and closed. */
  joinedInto: Optional<string>;
  /** A generated column. */
  isCalibrated: ColumnType<boolean, never, never>;
  origin: Origin;
}
/** The history of 'calibration validated': one row for each change. */
export interface ValidationTable {
  id: Generated<number>;
  vehicleId: string;
  validated: boolean;
  nextDueOn: Day;
  reason: Text;
  origin: Origin;
  decidedAt: Generated<Date>;
  decidedBy: Optional<number>;
}
/** One reading. `(rego, id)` names it for ever; `id` is the millisecond of recording. The value is text as entered. */
export interface CalibrationTable extends FromVehicle {
  rego: string;
  id: number;
  vehicleId: string;
  setId: Optional<string>;
  /** Null: from before there were visits, or imported. */
  visitId: Optional<string>;
  axle: Axle;
  attribute: 'Empty Volt' | 'Loaded Volt' | 'Empty Weight' | 'Loaded Weight';
  value: string;
  /** Of an output; null: V. */
  unit: Optional<'kPa' | 'mV/V' | 'counts'>;
  /** What the left and the right sensor said, where the value is their mean. */
  sides: Optional<string>;
  dueOn: Day;
  calibratedAt: Instant;
  technicianId: Optional<number>;
  origin: Origin;
  statedAtText: Text;
  correctsId: Optional<number>;
  correctionReason: Text;
  recordedAt: Generated<Date>;
}
/** The use of a file for a vehicle: its role, its position, and when it was added and removed. */
export interface VehicleFileTable extends FromVehicle {
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
}

/** A search of the list of vehicles that a person keeps. `query`: of the list's address. */
interface KeptListTable {
  id: Generated<string>;
  personId: string;
  name: string;
  query: string;
  keptAt: Generated<Date>;
}
/** The result of importing each record of the export, and its fields that the registry has no column for. */
interface ImportRecordTable {
  key: string;
  hash: string;
  targetId: Generated<string>;
  targetVersion: Generated<number>;
  unplaced: unknown;
  importedAt: Generated<Date>;
}

/** Work of the leader that is done again and again. `error`: of its last run, if that failed. */
interface JobTable {
  name: string;
  everyMs: number;
  node: string;
  ranAt: Date;
  error: string | null;
}

export interface Tables
  extends
    AccountTables,
    FollowerTables,
    LogTables,
    PolicyTables,
    ReferenceTables,
    ReportTables,
    PatternTables,
    PlateTables,
    VisitTables {
  person: PersonTable;
  actor: ActorTable;
  activityState: ActivityStateTable;
  activityLog: ActivityLogTable;
  activityDetail: ActivityDetailTable;
  storedFile: StoredFileTable;
  staff: StaffTable;
  admin: StaffTable;
  adminRemoval: AdminRemovalTable;
  application: ApplicationTable;
  technician: TechnicianTable;
  suspension: SuspensionTable;
  vehicle: VehicleTable;
  validation: ValidationTable;
  calibration: CalibrationTable;
  vehicleFile: VehicleFileTable;
  importRecord: ImportRecordTable;
  job: JobTable;
  keptList: KeptListTable;
}
