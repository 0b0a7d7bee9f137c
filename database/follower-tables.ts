// The tables of people who follow a vehicle or a list of trucks by email, and of what people
// are told by email, as Kysely sees them.
import type { Generated, JSONColumnType } from 'kysely';
import type { Day, FromVehicle, Instant, Optional, OptionalInstant } from './column-types.ts';

/** What a follower knows of a truck. `state`: the word of its answer. */
export type ToldTruck = { state: string; dueOn: string | null };
/** Of a vehicle, or of a `list` with a rego or VIN a line; `told`: by the rego or VIN. */
interface FollowerTable extends FromVehicle {
  id: Generated<string>;
  email: string;
  vehicleId: Optional<string>;
  list: Optional<string>;
  told: JSONColumnType<Record<string, ToldTruck>, string | undefined, string>;
  version: Generated<number>;
  askedAt: Instant;
  confirmedOn: Day;
  lookedOn: Day;
  lookOn: Day;
  endedAt: OptionalInstant;
}
interface FollowerLinkTable {
  tokenHash: string;
  followerId: string;
  madeAt: Instant;
}
interface FollowerDayTable {
  onlyRow: Generated<boolean>;
  lookedOn: Day;
}

interface WeeklyMailTable {
  personId: string;
  lookedOn: Day;
}
interface WeeklyMailLinkTable {
  tokenHash: string;
  personId: string;
  madeAt: Instant;
  stops: Generated<'weekly' | 'all'>;
}
interface TellChoiceTable {
  personId: string;
  topic: string;
  pace: 'once' | 'six' | 'monday' | 'never';
}
interface ToldItemTable {
  personId: string;
  topic: string;
  item: string;
  digest: string;
  toldAt: Instant;
}
interface DigestTable {
  personId: string;
  digestedOn: Day;
  mailedAt: OptionalInstant;
}

export interface FollowerTables {
  follower: FollowerTable;
  followerLink: FollowerLinkTable;
  followerDay: FollowerDayTable;
  weeklyMail: WeeklyMailTable;
  weeklyMailLink: WeeklyMailLinkTable;
  tellChoice: TellChoiceTable;
  toldItem: ToldItemTable;
  digest: DigestTable;
}
