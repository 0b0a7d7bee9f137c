// Development: Vite in middleware mode in front, so edits need no restart.
import { createServer as createHttpServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createServer as createVite } from 'vite';
import { readConfig } from '#app/platform/process/config.server.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { STOP_SIGNALS, stopSignal } from '#app/platform/process/stop-signals.server.ts';
import type { createApp } from './app.ts';
import { openServices } from './open-services.ts';

const config = readConfig(process.env);
const undo: (() => Promise<unknown>)[] = [];
const stopping = stopSignal();
const services = await openServices(config, createLogger(config), { undo, stopping });

const ours = new Set(STOP_SIGNALS.flatMap((signal) => process.listeners(signal)));
const vite = await createVite({ server: { middlewareMode: true }, appType: 'custom' });
// React Router's development server would end the process at these signals before PostgreSQL has stopped.
for (const signal of STOP_SIGNALS)
  for (const listener of process.listeners(signal)) if (!ours.has(listener)) process.off(signal, listener);
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
  for (const step of undo.toReversed()) await step();
  process.exit(0);
};
if (stopping.aborted) await leave();
stopping.addEventListener('abort', () => void leave());
