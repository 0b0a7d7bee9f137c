// Notifies another system, at AUTH_TOKEN_SYNC_URL, of each sign-in (POST) and sign-out (DELETE), with a short-lived
// signed token. The keys are at /.well-known/jwks.json. A failure is logged and never prevents a sign-in.
import type { Services } from '#app/platform/services/services.server.ts';

const WAIT_MS = 5_000;

export type Subject = { personId: string; email: string; name: string; role: string };

/** Notifies of a sign-in in the background: the sign-in does not wait. */
export function syncSignIn(services: Services, who: Subject): void {
  void notify(services, 'POST', who);
}

/** Notifies of a sign-out in the background: the sign-out does not wait. */
export function syncSignOut(services: Services, who: Subject): void {
  void notify(services, 'DELETE', who);
}

async function notify({ config, auth, log }: Services, method: 'POST' | 'DELETE', who: Subject): Promise<void> {
  if (config.authTokenSyncUrl === undefined) return;
  try {
    const { token } = await auth.api.signJWT({
      body: {
        payload: {
          iat: Math.floor(Date.now() / 1000),
          sub: who.personId,
          email: who.email,
          name: who.name,
          role: who.role,
        },
      },
    });
    const answer = await fetch(config.authTokenSyncUrl, {
      method,
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(WAIT_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) log.warn({ status: answer.status, method }, 'AUTH_TOKEN_SYNC_URL refused the token');
  } catch (error) {
    log.warn({ err: error, method }, 'AUTH_TOKEN_SYNC_URL was not reached');
  }
}
