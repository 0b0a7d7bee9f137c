// The table of check visits, as Kysely sees it.
import type { ColumnType, Generated } from 'kysely';

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** A truck that is to be weighed again by somebody else. A trigger refuses every change but of its state, and the note's erasure. */
interface CheckVisitTable {
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

export interface CheckVisitTables {
  checkVisit: CheckVisitTable;
}
