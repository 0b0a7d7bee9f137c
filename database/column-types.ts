// Columns that many tables have, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';

export type Axle = 'STEER' | 'DRIVE' | `TRAILER${'A' | 'B' | 'C' | 'D'}` | `DOLLY${'A' | 'B' | 'C'}` | 'FRONT' | 'REAR';
export type Text = Generated<string>;
export type Instant = ColumnType<Date, Date | string, Date | string>;
export type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
export type Day = Optional<string>;
/** Of a row that came with a join: the record under which it was logged. */
export interface FromVehicle {
  fromVehicle: Optional<string>;
}
export type Origin = Generated<'recorded' | 'imported'>;

/** Who added, last edited and removed a record, and when. The version counts the edits. */
export interface Edited {
  version: Generated<number>;
  addedAt: OptionalInstant;
  addedBy: Optional<number>;
  updatedAt: OptionalInstant;
  updatedBy: Optional<number>;
  deletedAt: OptionalInstant;
  deletedBy: Optional<number>;
}
