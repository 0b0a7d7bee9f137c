// GET /healthz (the process is alive) and GET /readyz (it can answer requests), for operators and load balancers.
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { sql } from 'kysely';
import pg from 'pg';
import type { Services } from '#app/platform/services/services.server.ts';

const ANSWER_WITHIN_MS = 3_000;
// Less than one file of PostgreSQL's own log takes.
const ROOM_MIN_BYTES = 1024 * 1024;
type Readiness = Pick<Services, 'db' | 'migrations' | 'lost' | 'config'>;
const UNDEFINED_TABLE = '42P01';

export function healthApp(services: Readiness): Hono {
  const app = new Hono();
  app.get('/healthz', (context) => context.text('ok\n', 200, { 'cache-control': 'no-store' }));
  app.get('/readyz', async (context) => {
    const { ready, words } = await readiness(services);
    return context.text(`${words}\n`, ready ? 200 : 503, { 'cache-control': 'no-store' });
  });
  return app;
}

/**
 * Whether requests should be sent here. No without the database, as nothing can be answered. Yes without writes (a
 * standby) or without the file store: every node is in the same state then, and reading works.
 */
async function readiness({ db, migrations, lost, config }: Readiness) {
  if (lost !== undefined) return { ready: false, words: lost };
  const full = await fullDisk(config);
  if (full !== undefined)
    return {
      ready: false,
      words: `no room is left on the disk of DATA_DIR (${full}): free some, and writes are taken again`,
    };
  try {
    const asked = sql<{ names: string[]; readOnly: boolean }>`
      select array(select name from schema_migration) as names,
        current_setting('transaction_read_only')::bool as read_only`.execute(db);
    const answer = await Promise.race([asked, pause(ANSWER_WITHIN_MS)]);
    // After a timeout nobody handles its rejection.
    asked.catch(() => {});
    if (answer === undefined)
      return { ready: false, words: `the database does not answer within ${ANSWER_WITHIN_MS / 1000} s` };
    const [{ names = [], readOnly = false } = {}] = answer.rows;
    const missing = migrations.filter((name) => !names.includes(name));
    if (missing.length > 0)
      return { ready: false, words: `the database has not been migrated: it lacks ${missing.join(', ')}` };
    return { ready: true, words: readOnly ? 'ready to be read: the database takes no writes' : 'ready' };
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE)
      return { ready: false, words: 'the database has not been migrated: it is empty' };
    return { ready: false, words: 'the database cannot be reached' };
  }
}

/** The folder of ours on a disk without room: DATA_DIR, or the embedded database in it. Files may lie on another. */
async function fullDisk({ dataDir }: Services['config']): Promise<string | undefined> {
  for (const folder of [dataDir, path.join(dataDir, 'postgres')]) {
    const disk = await statfs(folder).catch(() => undefined);
    if (disk !== undefined && disk.bavail * disk.bsize < ROOM_MIN_BYTES) return folder;
  }
  return undefined;
}
