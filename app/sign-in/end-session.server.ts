// Ends one's own sessions, on any device. The database notifies every node, which closes the session's event streams.
import type { Services } from '#app/platform/services/services.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { readSession, type SignedIn } from '#app/access/session.server.ts';
import { endSessionOf } from './sign-in.server.ts';
import { syncSignOut } from './token-sync.server.ts';

/**
 * Ends the session of the Cookie header. Returns the Set-Cookie lines that remove it from the browser. Throws when the
 * session may still be open, so that no page says 'signed out' wrongly.
 */
export async function signOut(services: Services, cookie: string): Promise<string[]> {
  const { signedIn: who } = await readSession(services, new Headers({ cookie }), 'look');
  if (who !== null) {
    await services.db.deleteFrom('session').where('id', '=', who.sessionId).execute();
    services.log.info({ person: who.personId }, 'signed out');
    syncSignOut(services, who);
  }
  return endSessionOf(services, cookie);
}

/** Ends one of the person's own sessions, or all but the current one. Returns how many ended. */
export async function endSessions({ db }: Services, who: SignedIn, which: { id: string } | 'others'): Promise<number> {
  if (which !== 'others' && !isUuid(which.id)) return 0;
  const own = db.deleteFrom('session').where('userId', '=', who.personId);
  const chosen = which === 'others' ? own.where('id', '!=', who.sessionId) : own.where('id', '=', which.id);
  const { numDeletedRows } = await chosen.executeTakeFirst();
  return Number(numDeletedRows);
}
