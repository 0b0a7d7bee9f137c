// Rows as COPY text, the same whatever the server, its version and its settings.
import type pg from 'pg';
import type { DatabaseAddress } from '#database/connection.ts';
import { connect, requireVersion } from '#database/migrate.ts';

/** A part of a table's rows has about this many bytes before it is packed. */
const BLOCK_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const SETTINGS = [
  "client_encoding = 'UTF8'",
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'postgres'",
  "bytea_output = 'hex'",
  'extra_float_digits = 1',
  // The database may be set to end long or idle sessions: a backup is both.
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
];

/** A connection of its own. Throws MigrationError with a sentence. */
export async function openForRows(address: DatabaseAddress): Promise<pg.Client> {
  const client = await connect(address, 'backup');
  try {
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
    requireVersion(Number(rows[0]?.version));
    for (const setting of SETTINGS) await client.query(`set ${setting}`);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

/**
 * Pieces of COPY text as they come, put together to blocks of whole rows: each ends with the first row that reaches
 * `blockBytes`, so that the same rows give the same blocks however they come.
 */
export async function* cutRows(pieces: AsyncIterable<Buffer>, blockBytes = BLOCK_BYTES): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < blockBytes) continue;
    let rest = Buffer.concat(waiting);
    for (let end = rest.indexOf(NEWLINE, blockBytes - 1); end !== -1; end = rest.indexOf(NEWLINE, blockBytes - 1)) {
      yield rest.subarray(0, end + 1);
      rest = rest.subarray(end + 1);
    }
    waiting = [rest];
    size = rest.length;
  }
  if (size > 0) yield Buffer.concat(waiting);
}
