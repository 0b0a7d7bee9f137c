// A process that publishes a log continuously until it is killed. Prints 'ready' after its first round.
// Arguments: the database's address as JSON, the data folder. The environment may name a bucket.
import { readConfig } from '#app/platform/process/config.server.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { publishLog } from '#app/transparency-log/publish.server.ts';

const [, , json = '', dataDir = ''] = process.argv;
const address: DatabaseAddress = JSON.parse(json);
const { db } = openDatabase(address, { max: 1, onError: () => {} });
const key = await logKey({ dataDir, logKeyFile: undefined, publicUrl: undefined });
process.on('disconnect', () => process.exit());
const publication = { db, folder: openLogFolder(readConfig({ ...process.env, DATA_DIR: dataDir })), key };
await publishLog(publication);
process.send?.('ready');
for (;;) await publishLog(publication);
