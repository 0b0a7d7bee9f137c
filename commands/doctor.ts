// npm run doctor: how disk, database, mail, clock and last backup are, in one answer. Beside a running server, and
// without one. Ends with 1 when something is wrong.
import { stat, statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { openForRows } from '#app/backup/rows.server.ts';
import { lastBackup } from '#app/backup/last-backup.server.ts';
import { findServerCosts } from '#app/platform/database/server-speed.server.ts';
import { formatBytes } from '#app/platform/http/format-bytes.ts';
import { greetMailServer } from '#app/platform/mail/mail.server.ts';
import { type Config, readConfig } from '#app/platform/process/config.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { durationWords } from '#app/platform/time/duration.ts';
import { findLogKey } from '#app/transparency-log/log-key.server.ts';
import { findLostDatabase } from '#app/transparency-log/lost-database.server.ts';
import { migrationNames } from '#database/migrate.ts';
import { type OpenRegistry, openRegistryAsItIs } from './open-registry.ts';
import { fail } from './run-command.ts';

/** How one thing is. `wrong`: what is to be done about it; no sentence where it is well. */
type Look = { what: string; found: string; wrong: (string | false | undefined)[] };

const ROOM_MIN_BYTES = 1024 ** 3;
const ROOM_MIN_SHARE = 0.05;
const CLOCK_MAX_MS = 5_000;
const MAIL_WAITS_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
// One each night, and the night when one was missed.
const BACKUP_MAX_MS = 2 * DAY_MS;
const ANSWER_WITHIN_MS = 5_000;

try {
  const config = readConfig(process.env);
  const looks = [await lookAtServer(config), await lookAtDisk(config), ...(await lookInside(config))];
  looks.push(await lookAtBackup(config));
  const seen = looks.map((look) => ({ ...look, wrong: look.wrong.filter((sentence) => typeof sentence === 'string') }));
  for (const { what, found, wrong } of seen) {
    process.stdout.write(`${wrong.length === 0 ? 'ok   ' : 'WRONG'}  ${what.padEnd(9)} ${found}\n`);
    for (const sentence of wrong) process.stdout.write(`                 ${sentence}\n`);
  }
  process.exitCode = seen.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
} catch (error) {
  process.exitCode = fail(explainStartError(error, 'Could not tell'));
}

async function lookAtServer({ host, port }: Config): Promise<Look> {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => undefined);
  if (answer === undefined) return { what: 'Server', found: `none answers at ${url}`, wrong: [] };
  const words = (await answer.text()).trim().slice(0, 300);
  return { what: 'Server', found: `answers at ${url}`, wrong: [!answer.ok && `It is not ready: ${words}`] };
}

async function lookAtDisk({ dataDir }: Config): Promise<Look> {
  const disk = await statfs(dataDir).catch(() => undefined);
  if (disk === undefined) return { what: 'Disk', found: dataDir, wrong: ['DATA_DIR is not there, or cannot be read.'] };
  const [free, size] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
  const isFull = free < ROOM_MIN_BYTES || free < size * ROOM_MIN_SHARE;
  const found = `${formatBytes(free)} of ${formatBytes(size)} are free for ${dataDir}`;
  return { what: 'Disk', found, wrong: [isFull && 'It is nearly full: free some room, or move DATA_DIR.'] };
}

/** What only the database can tell. */
async function lookInside(config: Config): Promise<Look[]> {
  const database = { what: 'Database', found: config.databaseUrl === undefined ? 'embedded' : 'of DATABASE_URL' };
  if (config.databaseUrl === undefined && !(await stat(config.dataDir).catch(() => undefined)))
    return [{ ...database, wrong: ['There is none yet: npm start makes it.'] }];
  try {
    const registry = await openRegistryAsItIs(process.env);
    try {
      // Says in a sentence why it cannot be reached.
      await (await openForRows(registry.address)).end();
      return [await lookAtDatabase(registry, database), await lookAtMail(registry), await lookAtClock(registry)];
    } finally {
      await registry.close();
    }
  } catch (error) {
    return [{ ...database, wrong: [explainStartError(error, 'It cannot be asked')] }];
  }
}

async function lookAtDatabase({ db, config }: OpenRegistry, { what, found }: Omit<Look, 'wrong'>): Promise<Look> {
  const { rows } = await sql<{ version: string; bytes: number; names: string[] }>`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      array(select name from schema_migration) as names`.execute(db);
  const [{ version = '', bytes = 0, names = [] } = {}] = rows;
  const missing = (await migrationNames()).filter((name) => !names.includes(name));
  const lost = (await findLogKey(config)) === undefined ? undefined : await findLostDatabase(db, config);
  const wrong = [
    missing.length > 0 && `It lacks ${missing.length} migrations: the next start brings it up to date.`,
    lost,
    ...(await findServerCosts(db)).map((cost) => `${cost}.`),
  ];
  return { what, found: `${found}, PostgreSQL ${version}, ${formatBytes(bytes)}`, wrong };
}

async function lookAtMail({ db, config }: OpenRegistry): Promise<Look> {
  const { rows } = await sql<{ waiting: number; oldest: Date | null; givenUp: number }>`
    select count(*) filter (where given_up_at is null)::int as waiting,
      min(queued_at) filter (where given_up_at is null) as oldest,
      count(*) filter (where given_up_at > ${new Date(Date.now() - DAY_MS)})::int as given_up from mail`.execute(db);
  const [{ waiting = 0, oldest = null, givenUp = 0 } = {}] = rows;
  const waits = oldest === null ? 0 : Date.now() - oldest.getTime();
  const refused = config.smtpUrl === undefined ? undefined : await greetMailServer(config.smtpUrl);
  const where = config.smtpUrl === undefined ? 'into DATA_DIR/outbox (no SMTP_URL)' : `by ${config.smtpUrl.host}`;
  return {
    what: 'Mail',
    found: `${where}, ${waiting} waiting`,
    wrong: [
      refused !== undefined && `The mail server does not take it: ${refused}.`,
      waits > MAIL_WAITS_MS && `The oldest waits for ${durationWords(waits)}.`,
      givenUp > 0 && `${givenUp} were given up within a day: /settings says why.`,
    ],
  };
}

async function lookAtClock({ db }: OpenRegistry): Promise<Look> {
  const { rows } = await sql<{ now: Date; newest: Date | null }>`
    select clock_timestamp() as now, (select max(at) from activity_log) as newest`.execute(db);
  const [{ now = new Date(0), newest = null } = {}] = rows;
  const off = Math.abs(Date.now() - now.getTime());
  const ahead = newest === null ? 0 : newest.getTime() - Date.now();
  return {
    what: 'Clock',
    found: `${new Date().toISOString()}, ${(off / 1000).toFixed(1)} s from the database's`,
    wrong: [
      off > CLOCK_MAX_MS && 'This machine and the database disagree: set both by NTP.',
      ahead > CLOCK_MAX_MS && `The newest entry is ${durationWords(ahead)} ahead: was the clock set back?`,
    ],
  };
}

async function lookAtBackup({ dataDir }: Config): Promise<Look> {
  const last = await lastBackup(dataDir);
  if (last === undefined)
    return { what: 'Backup', found: 'none is noted in DATA_DIR', wrong: ['npm run backup -- FILE writes one.'] };
  const age = Date.now() - Date.parse(last.at);
  const found = `${durationWords(age)} ago, ${formatBytes(last.bytes)}: ${last.file}`;
  const isGone = (await stat(last.file).catch(() => undefined)) === undefined;
  return {
    what: 'Backup',
    found: isGone ? `${found} (moved since)` : found,
    wrong: [age > BACKUP_MAX_MS && 'That is more than two days: npm run backup -- FILE writes one.'],
  };
}
