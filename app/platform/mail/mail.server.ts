// Mail leaves through an outbox: a write queues its mail in its own transaction, and it is sent afterwards, tried again
// with growing pauses. Its text is composed at that moment, so a one-time link is in no table. Sent by SMTP, or as .eml
// files in DATA_DIR/outbox when there is no SMTP_URL.
// Buys: no mail of a write that did not happen, none lost with a process or a mail server, and no request that waits
// for one (up to 20 s). Deletable never.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { createTransport, Transporter } from 'nodemailer';
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { LiveUpdates } from '#app/platform/live/live-updates.server.ts';
import type { Logger } from '#app/platform/process/logger.server.ts';
import type { Lease } from '#app/platform/database/leader-election.server.ts';

/** `headers`: beside those that every mail has. */
export type MailText = { subject: string; text: string; html: string; headers?: Record<string, string> };
export type QueuedMail = { kind: string; recipient: string; facts: Record<string, string> };
/** Composes a mail within the transaction that takes it from the outbox; null: nobody is to be written to. */
export type ComposeMail = (tx: Tx, mail: QueuedMail) => Promise<MailText | null>;

const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000];
const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS);
const LOOK_EVERY_MS = 30_000;
const LEASE_MS = 120_000;
const SMTP_TIMEOUT_MS = 20_000;

/** Queues a mail in the transaction of the write that causes it. */
export async function queueMail(tx: Db | Tx, mail: QueuedMail): Promise<void> {
  await tx
    .insertInto('mail')
    .values({ ...mail, facts: JSON.stringify(mail.facts) })
    .execute();
}

/** Sends what waits in the outbox until closed, or until this node loses the lease. */
export function openMail(
  { db, live, config, log, now }: { db: Db; live: LiveUpdates; config: Config; log: Logger; now: () => Date },
  compose: ComposeMail,
  lease: Lease,
): { sendWaiting: () => Promise<void>; close: () => Promise<void> } {
  const deliver = config.smtpUrl === undefined ? toFolder(path.join(config.dataDir, 'outbox')) : toSmtp(config.smtpUrl);
  const from = config.mailFrom ?? `"${config.registryName.replaceAll(/["\\]/g, '')}" <registry@${senderHost(config)}>`;
  let closed = false;
  let working = Promise.resolve();

  const after = (ms: number) => new Date(now().getTime() + ms);
  // Leases one mail: if this process dies meanwhile, another sends it when the lease has ended.
  const takeNext = () =>
    db.transaction().execute(async (tx) => {
      const mail = await tx
        .selectFrom('mail')
        .selectAll()
        .where('givenUpAt', 'is', null)
        // No pause is that long: such a time comes from a clock that was wrong.
        .where((eb) => eb.or([eb('nextTryAt', '<=', now()), eb('nextTryAt', '>', after(2 * LONGEST_PAUSE_MS))]))
        .orderBy('nextTryAt')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (mail === undefined) return undefined;
      await tx
        .updateTable('mail')
        .set({ nextTryAt: after(LEASE_MS) })
        .where('id', '=', mail.id)
        .execute();
      return mail;
    });
  // One mail; false when none is due.
  const sendNext = async () => {
    const mail = await takeNext();
    if (mail === undefined) return false;
    try {
      // Committed before it leaves, so that its link works when it arrives.
      const text = await db.transaction().execute((tx) => compose(tx, mail));
      // After a pause another node may have sent it by now; else one does when its while is over.
      if (lease.isLost()) return false;
      if (text !== null) await deliver({ from, to: mail.recipient, ...text, messageId: messageIdOf(mail, config) });
      await db.deleteFrom('mail').where('id', '=', mail.id).execute();
    } catch (error) {
      const pause = PAUSES_MS[mail.attempts];
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ kind: mail.kind, attempt: mail.attempts + 1, reason }, 'a mail was not sent');
      await db
        .updateTable('mail')
        .set({
          attempts: mail.attempts + 1,
          lastError: reason.slice(0, 500),
          nextTryAt: after(pause ?? 0),
          givenUpAt: pause === undefined ? now() : null,
        })
        .where('id', '=', mail.id)
        .execute();
    }
    return true;
  };
  const sendAll = async (): Promise<void> => {
    while (!closed && !lease.isLost() && (await sendNext()));
  };
  const sendWaiting = () => {
    working = working.then(sendAll).catch((error: unknown) => log.warn({ err: error }, 'the mail outbox'));
    return working;
  };
  const stop = live.onNotification('mail_waiting', () => void sendWaiting());
  const timer = setInterval(() => void sendWaiting(), LOOK_EVERY_MS);
  void sendWaiting();
  return {
    sendWaiting,
    async close() {
      closed = true;
      stop();
      clearInterval(timer);
      await working;
    },
  };
}

type Letter = MailText & { from: string; to: string; messageId: string };

function toSmtp(url: URL): (letter: Letter) => Promise<void> {
  const transport = atFirstUse((create) => create(smtpOptions(url)));
  return async (letter) => void (await (await transport()).sendMail(addressed(letter)));
}

const smtpOptions = (url: URL) => ({
  url: url.href,
  connectionTimeout: SMTP_TIMEOUT_MS,
  greetingTimeout: SMTP_TIMEOUT_MS,
  socketTimeout: SMTP_TIMEOUT_MS,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Connects to the mail server and signs in, without sending a mail. Why that fails; undefined where it does not. */
export async function greetMailServer(url: URL): Promise<string | undefined> {
  const { createTransport: create } = await import('nodemailer');
  const transport = create(smtpOptions(url));
  return transport
    .verify()
    .then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    .finally(() => transport.close());
}

// Written under a temporary name and renamed: a program that watches the folder sees whole mails only. One that is sent
// again after a kill replaces its file.
function toFolder(folder: string): (letter: Letter) => Promise<void> {
  const transport = atFirstUse((create) => create({ streamTransport: true, buffer: true, newline: 'unix' }));
  return async (letter) => {
    const { message } = await (await transport()).sendMail(addressed(letter));
    if (!Buffer.isBuffer(message)) throw new Error('the mail was not composed');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${/[^<@]+/.exec(letter.messageId)?.[0] ?? ''}.eml`;
    await writeFile(path.join(folder, `.${name}`), message, { mode: 0o600, flush: true });
    await rename(path.join(folder, `.${name}`), path.join(folder, name));
  };
}

// The mail library is loaded with the first mail: a registry that sends none saves its memory.
function atFirstUse<T>(open: (create: typeof createTransport) => Transporter<T>): () => Promise<Transporter<T>> {
  let opened: Promise<Transporter<T>> | undefined;
  return () => (opened ??= import('nodemailer').then(({ createTransport: create }) => open(create)));
}

// The recipient as an object: never parsed as a list of addresses.
function addressed(letter: Letter) {
  return {
    ...letter,
    to: { name: '', address: letter.to },
    headers: { 'Auto-Submitted': 'auto-generated', ...letter.headers },
  };
}

// The same whenever it is sent again: a process that is killed between the mail server's answer and the deletion from
// the outbox cannot know that it was sent, and mail programs show one of two with the same id.
const messageIdOf = ({ id, queuedAt }: { id: string | number | bigint; queuedAt: Date }, config: Config): string =>
  `<${queuedAt.toISOString().replaceAll(':', '-')}-${id}@${senderHost(config)}>`;

function senderHost({ publicUrl }: Config): string {
  const host = publicUrl?.hostname ?? 'localhost';
  return /^[a-z0-9.-]+$/i.test(host) ? host : 'localhost';
}
