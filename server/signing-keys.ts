// GET /.well-known/jwks.json (RFC 7517): the public keys for verifying the tokens that are sent to AUTH_TOKEN_SYNC_URL.
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
