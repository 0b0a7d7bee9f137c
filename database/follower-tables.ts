// The tables of people who follow a vehicle, a list of them, or those they calibrated, by email, as Kysely sees them.
import type { Generated, JSONColumnType } from 'kysely';
import type { Day, Instant } from './column-types.ts';

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

/** What the follower of a list knows of a truck. `state`: the word of its answer. */
export type ToldTruck = { state: string; dueOn: string | null };
interface WatchListTable {
  id: Generated<string>;
  email: string;
  list: string;
  told: JSONColumnType<Record<string, ToldTruck>, string | undefined, string>;
  version: Generated<number>;
  askedAt: Instant;
  confirmedOn: Day;
  lookedOn: Day;
}
interface WatchListLinkTable {
  tokenHash: string;
  listId: string;
  madeAt: Instant;
}

interface WeeklyMailTable {
  personId: string;
  isStopped: Generated<boolean>;
  lookedOn: Day;
}
interface WeeklyMailLinkTable {
  tokenHash: string;
  personId: string;
  madeAt: Instant;
}

export interface FollowerTables {
  follower: FollowerTable;
  followerLink: FollowerLinkTable;
  followerNotice: FollowerNoticeTable;
  followerDay: FollowerDayTable;
  watchList: WatchListTable;
  watchListLink: WatchListLinkTable;
  weeklyMail: WeeklyMailTable;
  weeklyMailLink: WeeklyMailLinkTable;
}
