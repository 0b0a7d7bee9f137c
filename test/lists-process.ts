// A process that looks at the followed lists once and sends what waits, to be killed in the middle. Writes a line when
// it begins. Arguments: the database's address as JSON, the data folder, the moment that it takes for now.
import { readConfig } from '#app/platform/process/config.server.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import type { LiveUpdates } from '#app/platform/live/live-updates.server.ts';
import { openMail } from '#app/platform/mail/mail.server.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { notifyFollowers } from '#app/following/notify-followers.server.ts';
import { composeMail } from '#server/compose-mail.ts';
import { HELD_LEASE } from './held-lease.ts';

const [, , address = '', dataDir = '', at = ''] = process.argv;
const { db } = openDatabase(JSON.parse(address) as DatabaseAddress, { max: 3 });
const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: dataDir });
const services = { db, config, log: createLogger(config), now: () => new Date(at) };
// It asks by itself.
const live: Pick<LiveUpdates, 'onNotification'> = { onNotification: () => () => {} };
process.stdout.write('begins\n');
await notifyFollowers(services, HELD_LEASE.isLost);
const outbox = openMail({ ...services, live: live as LiveUpdates }, composeMail(services), HELD_LEASE);
await outbox.sendWaiting();
await outbox.close();
await db.destroy();
