// The tables of followers (people who follow a vehicle by email), as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type Day = ColumnType<string | null, string | null | undefined, string | null>;

interface FollowerTable {
  id: Generated<string>;
  email: string;
  vehicleId: string;
  askedAt: Instant;
  confirmedOn: Day;
  toldVerdict: Generated<string>;
  toldDueOn: Day;
  lookOn: Day;
}
interface FollowerLinkTable {
  tokenHash: string;
  followerId: string;
  purpose: 'confirm' | 'leave';
  madeAt: Instant;
}
interface FollowerNoticeTable {
  followerId: string;
  occasion: 'in-30-days' | 'in-14-days' | 'today';
  dueOn: string;
  noticedAt: Generated<Date>;
}
interface FollowerDayTable {
  onlyRow: Generated<boolean>;
  lookedOn: Day;
}

export interface FollowerTables {
  follower: FollowerTable;
  followerLink: FollowerLinkTable;
  followerNotice: FollowerNoticeTable;
  followerDay: FollowerDayTable;
}
