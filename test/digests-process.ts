// A process that tells people once what waits and sends what is queued, to be killed in the middle. Writes a line when
// it begins. Arguments: the database's address as JSON, the data folder, the moment that it takes for now.
import { sendDigests } from '#app/digest/send-digests.server.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import type { LiveUpdates } from '#app/platform/live/live-updates.server.ts';
import { openMail } from '#app/platform/mail/mail.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { composeMail } from '#server/compose-mail.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { HELD_LEASE } from './held-lease.ts';

const [, , address = '', dataDir = '', at = ''] = process.argv;
const { db } = openDatabase(JSON.parse(address) as DatabaseAddress, { max: 3 });
const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: dataDir });
const services = { db, config, log: createLogger(config), now: () => new Date(at) };
// It asks by itself.
const live: Pick<LiveUpdates, 'onNotification'> = { onNotification: () => () => {} };
process.stdout.write('begins\n');
await sendDigests(services, HELD_LEASE.isLost);
const outbox = openMail({ ...services, live: live as LiveUpdates }, composeMail(services), HELD_LEASE);
await outbox.sendWaiting();
await outbox.close();
await db.destroy();
