// GET /.well-known/jwks.json: the public keys of the tokens that AUTH_TOKEN_SYNC_URL is sent (RFC 7517).
import { Hono } from 'hono';
import type { Services } from '#app/platform/services/services.server.ts';

const MAX_AGE_SECONDS = 300;

export function signingKeysApp({ auth }: Services): Hono {
  const app = new Hono();
  app.get('/', async (context) => {
    const keys = await auth.api.getJwks();
    return context.json(keys, 200, { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` });
  });
  return app;
}
