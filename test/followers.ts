// Followers of a vehicle or a list, each with a link as the mails have it.
import type { Insertable } from 'kysely';
import { makeLink } from '#app/following/links.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Tables } from '#database/tables.ts';

type Follower = Partial<Insertable<Tables['follower']>> & ({ vehicleId: string } | { list: string });

export async function addFollower(
  db: Db,
  follower: Follower,
  now = new Date(),
): Promise<{ id: string; token: string }> {
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('follower')
      .values({ email: 'sam@fleet.example', askedAt: now, ...follower })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, token: await makeLink(tx, id, now) };
  });
}
