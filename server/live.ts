// GET /live?topic=…: server-sent events. `since` is the log's size when the page was made; after a reconnect the
// browser's Last-Event-ID counts instead. Slow readers are dropped: their browser reconnects and catches up. Topics
// that are not public need a role, and the stream of a signed-in user ends with the session. A user who must still
// change the password or set up the second factor gets public topics only.
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { firstThing } from '#app/access/guard.server.ts';
import { may } from '#app/access/permissions.ts';
import { topicPermission } from '#app/access/topic-permission.server.ts';
import { readSession } from '#app/access/session.server.ts';
import { isRecordRego } from '#app/vehicles/vehicle.ts';
import { isListTopic, type Topic } from '#app/activity-log/topic.ts';
import type { LiveEvent } from '#app/platform/live/live-updates.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { ServerEnv } from './server-env.ts';

const HEARTBEAT_MS = 15_000;
const CHECK_SESSION_MS = 60_000;
const BUFFERED_MAX = 256;
const TOPICS_MAX = 20;
const STREAMS_PER_CLIENT = 100;

type Waiting = LiveEvent | { kind: 'signed-out' };

export function liveApp(services: Services): Hono<ServerEnv> {
  const { live, log, config } = services;
  const open = new Map<string, number>();
  const app = new Hono<ServerEnv>();
  app.get('/', async (context) => {
    const topics = context.req.queries('topic') ?? [];
    if (topics.length === 0 || topics.length > TOPICS_MAX || !topics.every(isTopic))
      return problem(400, 'unknown-topic', { detail: 'Give 1 to 20 topics, such as vehicles or vehicle:{rego}.' });
    const isOpen = async () => {
      const { signedIn } = await readSession(services, context.req.raw.headers, 'look');
      return signedIn === null || firstThing(config, signedIn) !== undefined ? null : signedIn;
    };
    const who = await isOpen();
    const permissions = topics.map((topic) => topicPermission(topic, who?.personId));
    if (!permissions.every((permission) => may(who?.role ?? 'public', permission)))
      return who === null
        ? problem(401, 'signed-out', { detail: 'Sign in to get updates of this.' })
        : problem(403, 'not-allowed', { detail: 'You do not have access to updates of this.' });
    // An answer to HEAD has no body, so nothing would ever end the stream.
    if (context.req.raw.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
    const client = context.get('clientAddress');
    if (config.rateLimits && (open.get(client) ?? 0) >= STREAMS_PER_CLIENT)
      return problem(429, 'too-many-streams', {
        detail: 'Too many pages of the registry are open. Close some and try again.',
      });
    count(client, 1);
    const lastEventId = parseIndex(context.req.header('last-event-id'));
    const since = lastEventId === undefined ? parseIndex(context.req.query('since')) : lastEventId + 1;
    context.header('x-accel-buffering', 'no');
    return streamSSE(
      context,
      async (stream) => {
        const waiting: Waiting[] = [];
        let wake = () => {};
        const notify = (event: Waiting) => {
          if (waiting.push(event) > BUFFERED_MAX) stream.abort();
          wake();
        };
        const stops: (() => void)[] = [() => count(client, -1)];
        const stop = () => {
          for (const each of stops.splice(0)) each();
        };
        stream.onAbort(() => {
          stop();
          wake();
        });
        try {
          stops.push(await live.subscribe(topics, since, notify));
          if (who !== null) stops.push(followSession(who.sessionId, () => notify({ kind: 'signed-out' })));
          await stream.write(': open\n\n');
          // The session may have ended between the first check and the subscription.
          if (who !== null && (await isOpen()) === null) notify({ kind: 'signed-out' });
          while (!stream.aborted && !stream.closed) {
            const event = waiting.shift();
            if (event?.kind === 'signed-out') {
              await stream.writeSSE({ event: 'signed-out', data: '' });
              return;
            }
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

    function count(client: string, more: 1 | -1) {
      const streams = (open.get(client) ?? 0) + more;
      if (streams === 0) open.delete(client);
      else open.set(client, streams);
    }

    // A notification comes at once when a session is ended. It is checked each minute too, as none comes when it
    // expires.
    function followSession(id: string, ended: () => void): () => void {
      const stop = live.onNotification('session_ended', (payload) => payload === id && ended());
      const check = setInterval(() => {
        isOpen()
          .then((still) => still === null && ended())
          .catch((error: unknown) => log.warn({ err: error }, 'checking a session'));
      }, CHECK_SESSION_MS);
      return () => {
        stop();
        clearInterval(check);
      };
    }
  });
  return app;
}

export function isTopic(text: string): text is Topic {
  if (isListTopic(text) || text.startsWith('person:')) return true;
  return text.startsWith('vehicle:') && isRecordRego(text.slice('vehicle:'.length));
}

function parseIndex(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
