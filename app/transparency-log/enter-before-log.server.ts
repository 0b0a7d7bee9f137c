// Records that are older than the log enter it when the registry first starts with one, marked 'before-log': from then
// on what they say cannot be altered unseen. In blocks, each whole; cut off at any moment, the next start goes on.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { appendLeaves } from './append-leaves.server.ts';
import type { Origin } from './draft-leaf.server.ts';
import { technicianEvent } from './events.server.ts';
import { unloggedEvents, type UnitOf } from './unlogged-events.server.ts';

const VEHICLES_A_BLOCK = 50;
const TECHNICIANS_A_BLOCK = 500;
const LOCK = 7_310_408;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Enters them all. Returns how many entries that made; 0 and no time when there is nothing left to do. Once the log has
 * begun nothing is older than it: anybody who takes back the mark that all are entered gains nothing.
 */
export async function enterBeforeLog(db: Db, unitOf: UnitOf): Promise<number> {
  const { beforeLog } = await db.selectFrom('activityState').select('beforeLog').executeTakeFirstOrThrow();
  if (beforeLog || (await hasBegun(db))) return 0;
  const entered = await enterUnlogged(db, unitOf);
  await db.updateTable('activityState').set({ beforeLog: true }).execute();
  return entered;
}

// The key comes first and is no event of the trade.
async function hasBegun(db: Db): Promise<boolean> {
  const { rows } = await sql`select from log_leaf
    where entry not like '%"origin":"before-log"%' and entry not like '%"type":"log.key"%' limit 1`.execute(db);
  return rows.length > 0;
}

/** Enters every record that is in no entry, as older than the log. Returns how many entries that made. */
export function enterUnlogged(db: Db, unitOf: UnitOf): Promise<number> {
  return inBlocks((enterBlock, after) =>
    db.transaction().execute(async (tx) => {
      // Of several processes that start at once, one after another.
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
      return enterBlock(tx, after, { origin: 'before-log', unitOf });
    }),
  );
}

/** The same for records that all came by an import, in the caller's transaction. */
export function enterImported(tx: Tx, unitOf: UnitOf): Promise<number> {
  return inBlocks((enterBlock, after) => enterBlock(tx, after, { origin: 'imported', unitOf }));
}

type EnterBlock = (tx: Tx, after: string, as: { origin: Origin; unitOf: UnitOf }) => Promise<Block | undefined>;

async function inBlocks(enter: (enterBlock: EnterBlock, after: string) => Promise<Block | undefined>): Promise<number> {
  let entered = 0;
  for (const enterBlock of [enterVehicles, enterTechnicians]) {
    let after = FIRST_ID;
    for (;;) {
      const block = await enter(enterBlock, after);
      if (block === undefined) break;
      entered += block.entered;
      after = block.last;
    }
  }
  return entered;
}

/** What a block entered, and the last id of its records: the next block starts after it. */
type Block = { entered: number; last: string };

// A vehicle is entered whole: when it has no leaf, none of its records has one.
const enterVehicles: EnterBlock = async (tx, after, { origin, unitOf }) => {
  const { rows } = await sql<{ id: string }>`select id from vehicle v
    where id > ${after}
      and not exists (select from record_leaf where record_table = 'vehicle' and record_key = v.id::text)
    order by id limit ${VEHICLES_A_BLOCK} for update`.execute(tx);
  const last = rows.at(-1)?.id;
  if (last === undefined) return undefined;
  const ids = rows.map(({ id }) => id);
  const events = await unloggedEvents(tx, ids, { origin, unitOf });
  await appendLeaves(tx, events);
  return { entered: events.length, last };
};

const enterTechnicians: EnterBlock = async (tx, after, { origin }) => {
  const { rows } = await sql<{ id: string; name: string; removed: boolean }>`
    select id, coalesce(nullif(rep_name, ''), nullif(company_name, ''), email) as name, deleted_at is not null as removed
    from technician t
    where id > ${after}
      and not exists (select from record_leaf where record_table = 'technician' and record_key = t.id::text)
    order by id limit ${TECHNICIANS_A_BLOCK} for update`.execute(tx);
  const last = rows.at(-1)?.id;
  if (last === undefined) return undefined;
  await appendLeaves(
    tx,
    rows.map(({ id, name, removed }) =>
      technicianEvent(removed ? 'technician.removed' : 'technician.approved', { id, name }, origin),
    ),
  );
  return { entered: rows.length, last };
};
