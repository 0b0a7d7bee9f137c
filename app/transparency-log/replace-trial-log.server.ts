// A log that was begun without PUBLIC_URL has a name by which nobody finds it, and a log's name never changes. While
// only an import has recorded anything nothing is lost by a new log: the same records, entered under the real name.
import { sql } from 'kysely';
import { insistAlone } from '#app/platform/database/alone-on-database.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import { appendLeaves } from './append-leaves.server.ts';
import type { LeafEvent } from './draft-leaf.server.ts';
import { sealActivities } from './log-activity-head.server.ts';
import { enterImported } from './enter-before-log.server.ts';
import type { UnitOf } from './unlogged-events.server.ts';
import { openLogFolder } from './log-folder.server.ts';
import { isBegunWith, isTrialLog, keyEvent, makeNextKey, useNextKey } from './log-key.server.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';

/** `policies`: the registry's rules, which a log holds from its first entries on. */
type Content = { policies: readonly LeafEvent[]; unitOf: UnitOf };
type Replacement = Content & { db: Db; config: Config; waitMs?: number };
export type ReplacedLog = { verifierKey: string; entries: number };

/**
 * Replaces the trial log by one under the name of PUBLIC_URL. Throws StartError with a sentence, having changed
 * nothing. One that was cut off is completed by the next.
 */
export async function replaceTrialLog({ db, config, waitMs, ...content }: Replacement): Promise<ReplacedLog> {
  const { publicUrl } = config;
  if (publicUrl === undefined)
    throw new StartError('Set PUBLIC_URL to the address that people will use: the log is named after it for good.');
  if (config.logKeyFile !== undefined)
    throw new StartError('LOG_KEY_FILE names the log here. Make a key with npm run make-log-key, for a new registry.');
  if (!(await isTrialLog({ ...config, publicUrl: undefined })))
    throw new StartError('The log here is not a trial log: it has its name, which never changes.');
  // This connection keeps others out until the files are in place.
  return db.connection().execute(async (holding) => {
    await insistAlone(
      async (statement) => (await sql<Record<string, unknown>>`${sql.raw(statement)}`.execute(holding)).rows,
      waitMs,
    );
    const key = await makeNextKey(config, publicUrl);
    // An earlier run that was cut off may have come this far.
    if (!(await isBegunWith(db, key))) await db.transaction().execute((tx) => beginAgain(tx, key, content));
    await openLogFolder(config).clear();
    await useNextKey(config);
    const { leafSize } = await db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
    return { verifierKey: formatVerifierKey(key.verifier), entries: leafSize };
  });
}

async function beginAgain(tx: Tx, key: SigningKey, { policies, unitOf }: Content): Promise<void> {
  const { rows } = await sql<{ index: number }>`
    select index from log_leaf
    where entry not like '%"origin":"imported"%' and entry not like '%"type":"log.key"%'
      and not (entry like '%"type":"policy.changed"%' and entry like '%"policyVersion":1,%')
      and entry not like '%"type":"admin.%' and entry not like '%"type":"activity.head"%'
    order by index limit 1`.execute(tx);
  if (rows[0] !== undefined)
    throw new StartError(
      `This log stays as it is: its entry ${rows[0].index} was recorded by somebody and not by an import.`,
    );
  const tables = ['log_leaf', 'record_leaf', 'leaf_opening', 'log_chain'].map((name) => sql.table(name));
  for (const table of tables) await sql`alter table ${table} disable trigger user`.execute(tx);
  await sql`truncate ${sql.join(tables)}`.execute(tx);
  for (const table of tables) await sql`alter table ${table} enable trigger user`.execute(tx);
  // Without a head in it, the admins enter with the first one.
  await sql`update activity_state
    set leaf_size = 0, leaf_at = '-infinity', leaf_frontier = '{}', before_log = true, head_logged = null`.execute(tx);
  await appendLeaves(tx, [keyEvent(key), ...policies]);
  await enterImported(tx, unitOf);
  await sealActivities(tx);
}
