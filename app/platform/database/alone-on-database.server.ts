// For work that needs the database to itself. The lock of migrations holds off every new start, and pg_stat_activity
// shows which sessions are connected already.
import { MIGRATION_LOCK } from '#database/migrate.ts';
import { StartError } from '#app/platform/process/start-error.ts';

// By then a server that is stopping, or the session of a killed command, has ended.
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 200;

type Rows = (statement: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * Holds off every start until the connection behind `ask` ends. Throws StartError with a sentence when other sessions
 * are still connected, or a start still holds the lock, after `waitMs`.
 */
export async function insistAlone(ask: Rows, waitMs = WAIT_MS): Promise<void> {
  await within(waitMs, async () => {
    const [row] = await ask(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as mine`);
    return row?.['mine'] === true ? undefined : 'A server or another command is starting on this database. Try again.';
  });
  await within(waitMs, async () => {
    const others = await ask(OTHERS);
    if (others.length === 0) return undefined;
    const names = others.map(({ name }) => String(name)).join(', ');
    return `Others are connected to this database (${names}). Stop every server on it first.`;
  });
}

// PostgreSQL hides the details of other users' sessions from a plain user, but not their user names.
const OTHERS = `select distinct coalesce(nullif(application_name, ''), usename::text) as name from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
    and coalesce(backend_type, 'client backend') = 'client backend'`;

async function within(ms: number, obstacle: () => Promise<string | undefined>): Promise<void> {
  for (const deadline = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))) {
    const sentence = await obstacle();
    if (sentence === undefined) return;
    if (Date.now() > deadline) throw new StartError(sentence);
  }
}
