// Whoever follows a vehicle by email, as Kysely sees it.
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type Day = ColumnType<string | null, string | null | undefined, string | null>;

export interface FollowerTable {
  id: Generated<string>;
  email: string;
  vehicleId: string;
  askedAt: Instant;
  confirmedOn: Day;
  toldVerdict: Generated<string>;
  lookOn: Day;
}
export interface FollowerLinkTable {
  tokenHash: string;
  followerId: string;
  purpose: 'confirm' | 'leave';
  madeAt: Instant;
}
export interface FollowerNoticeTable {
  followerId: string;
  occasion: 'in-30-days' | 'in-14-days' | 'today';
  dueOn: string;
  noticedAt: Generated<Date>;
}
export interface FollowerDayTable {
  onlyRow: Generated<boolean>;
  lookedOn: Day;
}
