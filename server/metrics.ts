// GET /metrics: numbers for Prometheus (text format 0.0.4). Counters come from memory. The other figures come from one
// query over indexes and two small files; a figure that cannot be read is left out, so that an old one never passes for
// a new one.
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type Context } from 'hono';
import { sql } from 'kysely';
import { Gauge, Registry } from 'prom-client';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { logFigures } from '#app/transparency-log/log-page.server.ts';
import { LOOPBACK } from './public-host.ts';

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;
const READ_WITHIN_MS = 2000;

/** Read when somebody asks, with their words; what cannot be known is left out of an answer. */
export const READ = {
  registry_database_up: 'Whether the database answered within 2 seconds',
  registry_live_connections: 'Open event streams',
  registry_mail_waiting: 'Mails in the outbox that will be tried again',
  registry_mail_oldest_seconds: 'How long the oldest of them has waited; 0 when none waits',
  registry_mail_given_up: 'Mails that were given up',
  registry_log_entries: 'Entries of the public log in the database',
  registry_log_signed_entries: 'Entries of the public log that are signed and published',
  registry_log_unsigned_seconds: 'How long the oldest entry that is not signed has waited; 0 when all are',
  registry_log_mismatched_vehicles: 'Vehicles of which a record is not what was logged, by the daily check',
  registry_log_witnessed_entries: 'Entries of the public log that have the quorum of the registry’s witnesses',
  registry_log_witnessed_seconds: 'How long ago they had it; left out while there is none',
  registry_jobs_failing: 'Jobs of the leader whose last run failed; /settings/jobs names them',
  registry_log_refuses: '1 while the log is not signed because it would contradict what was signed',
} as const;
type Figures = { [Name in keyof typeof READ]?: number | undefined };

// Undefined when it fails, or takes too long.
const inTime = <T>(done: Promise<T>): Promise<T | undefined> =>
  Promise.race([done.catch(() => undefined), pause(READ_WITHIN_MS, undefined, { ref: false })]);

export function metricsApp(services: Services): Hono {
  const { config, metrics, live } = services;
  // One query at a time, so that queries do not pile up at a database that hangs.
  let asking: Promise<Figures> | undefined;
  const askDatabase = (signed: number | undefined) =>
    asking === undefined
      ? inTime((asking = databaseFigures(services, signed).finally(() => (asking = undefined))))
      : Promise.resolve(undefined);

  const app = new Hono();
  app.get('/metrics', async (context) => {
    if (!isDirect(context) && !isToken(config.metricsToken, context.req.header('authorization')))
      return problem(403, 'not-allowed', {
        detail: 'Metrics can be read from this machine only, or with the METRICS_TOKEN.',
      });
    const publicLog = await inTime(logFigures(services));
    const database = await askDatabase(publicLog?.signed);
    const read: Figures = {
      registry_live_connections: live.size(),
      registry_database_up: database === undefined ? 0 : 1,
      ...database,
      registry_log_signed_entries: publicLog?.signed,
      registry_log_witnessed_entries: publicLog?.witnessed?.size,
      registry_log_witnessed_seconds: publicLog?.witnessed?.seconds ?? undefined,
      registry_log_refuses: publicLog && Number(publicLog.refuses),
    };
    const text = `${await metrics.registry.metrics()}\n${await format(read)}`;
    return context.text(text, 200, { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' });
  });
  return app;
}

// Whether a program on this machine asks for itself. A request with forwarding headers comes from a proxy, for somebody
// else. One with a foreign Host may come from another site's page whose name was made to point here (DNS rebinding).
function isDirect(context: Context): boolean {
  const address = getConnInfo(context).remote.address ?? '';
  const asked = context.req.header('host') ?? new URL(context.req.url).host;
  const isForwarded = ['x-forwarded-for', 'x-forwarded-host', 'forwarded'].some(
    (name) => context.req.header(name) !== undefined,
  );
  return LOOPBACK_ADDRESS.test(address) && LOOPBACK.test(asked) && !isForwarded;
}

// Compares hashes, so that the time reveals neither how much matches nor the length.
function isToken(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined || authorization === undefined) return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(`Bearer ${token}`), hash(authorization));
}

async function databaseFigures({ db }: Services, signed: number | undefined): Promise<Figures> {
  const { rows } = await sql<{
    leafSize: number;
    unsignedSeconds: number | null;
    waiting: number;
    oldestSeconds: number | null;
    givenUp: number;
    mismatched: number;
    failing: number;
  }>`
    select leaf_size,
      (select extract(epoch from clock_timestamp() - (entry::jsonb ->> 'at')::timestamptz)::float8
         from log_leaf where index = ${signed ?? null}) as unsigned_seconds,
      (select count(*) from mail where given_up_at is null) as waiting,
      (select extract(epoch from clock_timestamp() - queued_at)::float8
         from mail where given_up_at is null order by id limit 1) as oldest_seconds,
      (select count(*) from mail where given_up_at is not null) as given_up,
      (select count(*) from history_check where findings <> '{}') as mismatched,
      (select count(*) from job where error is not null) as failing
    from activity_state`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database holds no registry');
  return {
    registry_log_entries: row.leafSize,
    registry_log_mismatched_vehicles: row.mismatched,
    registry_jobs_failing: row.failing,
    registry_mail_waiting: row.waiting,
    registry_mail_oldest_seconds: seconds(row.oldestSeconds),
    registry_mail_given_up: row.givenUp,
    registry_log_unsigned_seconds: signed === undefined ? undefined : seconds(row.unsignedSeconds),
  };
}

// 0 when none waits, or when its time is ahead of this clock.
const seconds = (age: number | null) => Math.max(0, age ?? 0);

function format(figures: Figures): Promise<string> {
  const registry = new Registry();
  for (const [name, help] of Object.entries(READ)) {
    const value = Object.entries(figures).find(([key]) => key === name)?.[1];
    if (value !== undefined) new Gauge({ name, help, registers: [registry] }).set(value);
  }
  return registry.metrics();
}
