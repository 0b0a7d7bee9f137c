// The tables of followers (people who follow a vehicle by email), as Kysely sees them.
import type { Generated } from 'kysely';
import type { Day, Instant, Text } from './columns.ts';

export interface FollowerTables {
  follower: {
    id: Generated<string>;
    email: string;
    vehicleId: string;
    askedAt: Instant;
    confirmedOn: Day;
    toldVerdict: Text;
    lookOn: Day;
  };
  followerLink: {
    tokenHash: string;
    followerId: string;
    purpose: 'confirm' | 'leave';
    madeAt: Instant;
  };
  followerNotice: {
    followerId: string;
    occasion: 'in-30-days' | 'in-14-days' | 'today';
    dueOn: string;
    noticedAt: Generated<Date>;
  };
  followerDay: {
    onlyRow: Generated<boolean>;
    lookedOn: Day;
  };
}
