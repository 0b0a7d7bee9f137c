// For whoever runs it: alive, and ready.
import { Hono } from 'hono';
import { sql } from 'kysely';
import type { Services } from '#app/platform/services.server.ts';

export function healthApp({ db }: Services): Hono {
  const app = new Hono();
  app.get('/healthz', (context) => context.text('ok\n', 200, { 'cache-control': 'no-store' }));
  app.get('/readyz', async (context) => {
    try {
      await sql`select size from activity_state`.execute(db);
      return context.text('ready\n', 200, { 'cache-control': 'no-store' });
    } catch {
      return context.text('the database cannot be reached\n', 503, { 'cache-control': 'no-store' });
    }
  });
  return app;
}
