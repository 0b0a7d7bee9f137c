// Columns that many tables have, as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';

export type Text = Generated<string>;
export type Instant = ColumnType<Date, Date | string, Date | string>;
export type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
export type Day = Optional<string>;
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
