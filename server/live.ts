// GET /live?topic=…: server-sent events. `since` is the log's size when the page was made; after a reconnect the
// browser's Last-Event-ID counts instead. Slow readers are dropped: their browser reconnects and catches up.
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { parseRego } from '#app/vehicles/vehicle.ts';
import type { LiveEvent } from '#app/platform/live-updates.server.ts';
import { problem } from '#app/platform/problem-details.server.ts';
import type { Services } from '#app/platform/services.server.ts';

const HEARTBEAT_MS = 15_000;
const BUFFERED_MAX = 256;
const TOPICS_MAX = 20;

export function liveApp({ live, log }: Services): Hono {
  const app = new Hono();
  app.get('/', (context) => {
    const topics = context.req.queries('topic') ?? [];
    if (topics.length === 0 || topics.length > TOPICS_MAX || !topics.every(isPublicTopic))
      return problem(400, 'unknown-topic', 'Name the topics to follow: vehicles, or vehicle:{rego}.');
    const lastEventId = parseIndex(context.req.header('last-event-id'));
    const since = lastEventId === undefined ? parseIndex(context.req.query('since')) : lastEventId + 1;
    context.header('x-accel-buffering', 'no');
    return streamSSE(
      context,
      async (stream) => {
        const waiting: LiveEvent[] = [];
        let wake = () => {};
        const stop = await live.subscribe(topics, since, (event) => {
          if (waiting.push(event) > BUFFERED_MAX) stream.abort();
          wake();
        });
        stream.onAbort(() => {
          stop();
          wake();
        });
        try {
          await stream.write(': open\n\n');
          while (!stream.aborted && !stream.closed) {
            const event = waiting.shift();
            if (event !== undefined) {
              await stream.writeSSE({
                event: event.kind,
                id: String(event.index),
                data: event.kind === 'change' ? event.topics.join(' ') : '',
              });
              continue;
            }
            const woken = await Promise.race([
              new Promise<true>((resolve) => (wake = () => resolve(true))),
              stream.sleep(HEARTBEAT_MS),
            ]);
            if (woken !== true && !stream.aborted) await stream.write(': \n\n');
          }
        } finally {
          stop();
        }
      },
      async (error) => log.warn({ err: error }, 'a live stream failed'),
    );
  });
  return app;
}

function isPublicTopic(topic: string): boolean {
  if (topic === 'vehicles') return true;
  if (!topic.startsWith('vehicle:')) return false;
  const parsed = parseRego(topic.slice('vehicle:'.length));
  return parsed.ok && topic === `vehicle:${parsed.rego}`;
}

function parseIndex(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
