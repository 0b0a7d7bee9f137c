// Development: Vite in middleware mode in front, so edits need no restart.
import { createServer as createHttpServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createServer as createVite } from 'vite';
import { readConfig } from '#app/platform/config.server.ts';
import { openDatabase } from '#app/platform/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres.server.ts';
import { openFileStore } from '#app/platform/file-store.server.ts';
import { openLiveUpdates } from '#app/platform/live-updates.server.ts';
import { createLogger } from '#app/platform/logger.server.ts';
import type { Services } from '#app/platform/services.server.ts';
import { migrate } from '#database/migrate.ts';
import path from 'node:path';
import type { createApp } from './app.ts';

const config = readConfig(process.env);
const log = createLogger(config);
const embedded =
  config.databaseUrl === undefined ? await joinEmbeddedPostgres({ dataDir: config.dataDir, log }) : undefined;
const address = embedded?.address ?? { connectionString: config.databaseUrl ?? '' };
await migrate(address);
const { db } = openDatabase(address, {
  onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
});
const services: Services = {
  db,
  config,
  log,
  now: () => new Date(),
  live: await openLiveUpdates(db, address, (error) => log.warn({ err: error }, 'live updates')),
  files: await openFileStore({ directory: path.join(config.dataDir, 'files') }),
};

const vite = await createVite({ server: { middlewareMode: true }, appType: 'custom' });
// React Router's development server ends the process at these before PostgreSQL is left.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeAllListeners(signal);
const listener = getRequestListener(async (request, env) => {
  const { createApp: makeApp } = await vite.ssrLoadModule('./server/app.ts');
  const app: ReturnType<typeof createApp> = makeApp(services);
  return app.fetch(request, env);
});
const server = createHttpServer((request, response) =>
  vite.middlewares(request, response, () => void listener(request, response)),
);
server.listen(config.port, config.host, () =>
  process.stdout.write(`Development at http://${config.host}:${config.port}\n`),
);

const leave = async () => {
  server.closeAllConnections();
  await vite.close();
  await services.live.close();
  await db.destroy();
  await embedded?.leave();
  process.exit(0);
};
process.once('SIGTERM', () => void leave());
process.once('SIGINT', () => void leave());
