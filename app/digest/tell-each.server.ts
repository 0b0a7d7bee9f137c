// Goes through the people who are due a mail, each in a transaction of their own.
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { timeIn, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import type { VerdictPolicy } from '#app/vehicles/verdict.ts';

const SIX = '06:00';

export type Telling = Pick<Services, 'db' | 'config' | 'log' | 'now'>;
/** In the registry's zone. */
export type Moment = { now: Date; today: string; isPastSix: boolean; policy: VerdictPolicy };
type Person = { personId: string; email: string };
/** `whom`: who may be due a mail (p), as SQL. `tell`: queues one, if it is still due; whether it did. */
export type Look = { whom: RawBuilder<unknown>; tell: (tx: Tx, person: Person) => Promise<boolean> };

/** Returns how many mails it queued. Stops when `isLost`: another node holds the lease then. */
export async function tellEach(
  { db, config, log, now }: Telling,
  isLost: () => boolean,
  looksAt: (moment: Moment) => readonly Look[],
): Promise<number> {
  // The database is not what was signed: what waits may be of another day, or missing.
  if ((await openLogFolder(config).readRefusal()) !== undefined) return 0;
  const [at, zone] = [now(), config.timeZone];
  const day = { today: todayIn(zone, at), isPastSix: timeIn(zone, at) >= SIX };
  let mails = 0;
  for (const { whom, tell } of looksAt({ now: at, ...day, policy: await currentPolicy(db) })) {
    const { rows } = await sql<Person>`select distinct p.person_id, p.email ${whom}`.execute(db);
    for (const person of rows) {
      if (isLost()) return mails;
      try {
        if (await db.transaction().execute((tx) => tell(tx, person))) mails += 1;
      } catch (error) {
        // The others are told all the same, and this one next time.
        log.warn({ err: error }, 'telling a person what waits');
      }
    }
  }
  return mails;
}
