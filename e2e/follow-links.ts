import { newLinkToken } from '#app/access/one-time-link.server.ts';
import { addFollower } from '#test/followers.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newRego } from './vehicles.ts';

/** The address in a mail to somebody who is asked to confirm that they follow a vehicle. */
export async function linkOf({ db }: StartedRegistry): Promise<string> {
  const { id: vehicleId } = await db
    .insertInto('vehicle')
    .values({ rego: newRego() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return `/following/${(await addFollower(db, { vehicleId })).token}`;
}

/** The address in a mail about a list of one truck, which is followed. */
export async function listLinkOf({ db }: StartedRegistry): Promise<string> {
  const list = { email: 'list@site.example', list: 'S558BXW', confirmedOn: '2026-01-05' };
  return `/following/${(await addFollower(db, list)).token}`;
}

/** The address in a weekly mail to the person `personId`, which still comes. */
export async function weeklyLinkOf({ db }: StartedRegistry, personId: string): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await db.insertInto('weeklyMail').values({ personId }).execute();
  await db.insertInto('weeklyMailLink').values({ tokenHash, personId, madeAt: new Date() }).execute();
  return `/follow/mine/${token}`;
}
