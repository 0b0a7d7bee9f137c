// Ending sessions: one's own, on any device. The database tells every node, and open event streams close with them.
import type { Services } from '#app/platform/services.server.ts';
import type { SignedIn } from './session.server.ts';
import { endSessionOf } from './sign-in.server.ts';
import { syncSignOut } from './token-sync.server.ts';

/** Signs out of the session behind the Cookie header. Returns the cookies that take it from the browser. */
export async function signOut(services: Services, who: SignedIn | null, cookie: string): Promise<string[]> {
  const setCookies = await endSessionOf(services, cookie);
  if (who !== null) {
    // Gone for certain: the library is silent when it finds nothing to delete.
    await services.db.deleteFrom('session').where('id', '=', who.sessionId).execute();
    services.log.info({ person: who.personId }, 'signed out');
    syncSignOut(services, who);
  }
  return setCookies;
}

/** Ends one of the person's own sessions, or all but the present one. Returns how many ended. */
export async function endSessions({ db }: Services, who: SignedIn, which: { id: string } | 'others'): Promise<number> {
  const own = db.deleteFrom('session').where('userId', '=', who.personId);
  const chosen = which === 'others' ? own.where('id', '!=', who.sessionId) : own.where('id', '=', which.id);
  const { numDeletedRows } = await chosen.executeTakeFirst();
  return Number(numDeletedRows);
}
