import { newLinkToken } from '#app/access/one-time-link.server.ts';
import { makeLink } from '#app/followers/links.server.ts';
import { makeListLink } from '#app/watch-lists/links.server.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newRego } from './vehicles.ts';

/** The address in a mail to somebody who asks to follow a vehicle, or follows it. */
export async function linkOf({ db }: StartedRegistry, purpose: 'confirm' | 'leave'): Promise<string> {
  const { id: vehicleId } = await db
    .insertInto('vehicle')
    .values({ rego: newRego() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return db.transaction().execute(async (tx) => {
    const email = `${purpose}@site.example`;
    const { id } = await tx
      .insertInto('follower')
      .values({ vehicleId, email, askedAt: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return `/follow/${purpose}/${await makeLink(tx, id, purpose, new Date())}`;
  });
}

/** The address in a mail about a list of one truck, which is followed. */
export async function listLinkOf({ db }: StartedRegistry): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('watchList')
      .values({ email: 'list@site.example', list: 'S558BXW', askedAt: new Date(), confirmedOn: '2026-01-05' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return `/lists/${await makeListLink(tx, id, new Date())}`;
  });
}

/** The address in a weekly mail to the person `personId`, which still comes. */
export async function weeklyLinkOf({ db }: StartedRegistry, personId: string): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await db.insertInto('weeklyMail').values({ personId }).execute();
  await db.insertInto('weeklyMailLink').values({ tokenHash, personId, madeAt: new Date() }).execute();
  return `/follow/mine/${token}`;
}
