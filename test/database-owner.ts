// What somebody with the database's own password does in a test, one thing at a time, each taken back.
import pg from 'pg';
import type { TestDatabase } from './database.ts';

export type DatabaseOwner = {
  query(statement: string): Promise<void>;
  /** Does something to the `tables`, asks, and takes it back. Throws when no row was concerned. */
  whenDone<T>(statement: string, ask: () => Promise<T>): Promise<T>;
  leave(): Promise<void>;
};

export async function enterAsOwner(
  address: TestDatabase['address'],
  tables: readonly string[],
): Promise<DatabaseOwner> {
  const client = new pg.Client(address);
  await client.connect();
  // No trigger and no foreign key stands in the owner's way.
  await client.query('set session_replication_role = replica');
  const restore = async () => {
    for (const table of tables) {
      await client.query(`delete from ${table}`);
      const { rows } = await client.query<{ columns: string }>(
        `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      );
      const columns = rows[0]?.columns;
      await client.query(
        `insert into ${table} (${columns}) overriding system value select ${columns} from saved_${table}`,
      );
      await client.query(`drop table saved_${table}`);
    }
  };
  return {
    async query(statement) {
      await client.query(statement);
    },
    async whenDone(statement, ask) {
      for (const table of tables) await client.query(`create table saved_${table} as table ${table}`);
      try {
        const { rowCount } = await client.query(statement);
        if (rowCount === null || rowCount === 0) throw new Error(`no row was concerned: ${statement}`);
        return await ask();
      } finally {
        await restore();
      }
    },
    leave: () => client.end(),
  };
}
