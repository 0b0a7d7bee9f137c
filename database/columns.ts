// The kinds of columns, as Kysely sees them: what a SELECT gives, an INSERT takes and an UPDATE takes.
import type { ColumnType, Generated } from 'kysely';

export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
export type Instant = ColumnType<Date, Date | string, Date | string>;
export type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
export type Day = Optional<string>;
export type Text = Generated<string>;
