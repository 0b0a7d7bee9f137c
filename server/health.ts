// For whoever runs it: alive, ready, and numbers.
import { Hono } from 'hono';
import { sql } from 'kysely';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Services } from '#app/platform/services.server.ts';
import { logFigures } from '#app/transparency-log/log-page.server.ts';
import { problem } from '#app/platform/problem-details.server.ts';

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;

export function healthApp({ db, config, live }: Services): Hono {
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
  app.get('/metrics', async (context) => {
    const address = getConnInfo(context).remote.address ?? '';
    const byToken =
      config.metricsToken !== undefined && context.req.header('authorization') === `Bearer ${config.metricsToken}`;
    const direct = context.req.header('x-forwarded-for') === undefined && LOOPBACK_ADDRESS.test(address);
    if (!byToken && !direct)
      return problem(403, 'not-allowed', 'Metrics are answered on loopback, or with the METRICS_TOKEN.');
    const publicLog = await logFigures({ config });
    return context.text(
      [
        '# TYPE process_uptime_seconds gauge',
        `process_uptime_seconds ${process.uptime().toFixed(1)}`,
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        '# TYPE registry_live_connections gauge',
        `registry_live_connections ${live.size()}`,
        '# TYPE registry_log_signed_entries gauge',
        `registry_log_signed_entries ${publicLog.size}`,
        '# TYPE registry_log_refuses gauge',
        `registry_log_refuses ${publicLog.refuses ? 1 : 0}`,
        '',
      ].join('\n'),
      200,
      { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    );
  });
  return app;
}
