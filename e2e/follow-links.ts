import { makeLink } from '#app/followers/links.server.ts';
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
