// The mail server gone, silent, or breaking off: anybody who asks hears the same as ever, admins see what was not sent,
// and it is sent when there is a mail server again.
import { once } from 'node:events';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { stopMails } from '#app/digest/choose-told.server.ts';
import { RECIPIENTS } from '#app/digest/find-items.server.ts';
import { addPerson } from '#test/people.ts';
import { startFaultProxy, type FaultProxy } from '#test/fault-proxy.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { post, signedInAdmin, type Sender } from './registry.ts';

// A silent server is given 20 s.
const LONG = { timeout: 90_000, interval: 200 };

let smtp: SMTPServer;
let proxy: FaultProxy;
let registry: StartedRegistry;
let admin: Sender;
const received: string[] = [];
beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    disableReverseLookup: true,
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        received.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  smtp.on('error', () => {});
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const bound = smtp.server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  proxy = await startFaultProxy({ port: bound.port });
  registry = await startRegistry({ LOG_LEVEL: 'silent', SMTP_URL: `smtp://127.0.0.1:${proxy.port}` });
  admin = await signedInAdmin(registry);
  // The mails to those who are there, of what waits and of due trucks: sent before there are faults.
  const { rows } = await sql<{ personId: string }>`select person_id from ${RECIPIENTS} p`.execute(registry.db);
  for (const { personId } of rows) await stopMails(registry.db, { personId, stops: 'all' });
  await sql`delete from job`.execute(registry.db);
  await vi.waitUntil(hasSentDue, LONG);
});
afterAll(async () => {
  await proxy.set({ kind: 'none' });
  await registry.stop();
  await proxy.close();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

const askReset = async (email: string) => {
  const answer = await post(registry, '/reset', new URLSearchParams({ email }));
  return [answer.status, answer.headers.get('location'), await answer.text()];
};
/** What the settings show an admin under 'Mail not sent'. */
const shown = async () => {
  const page = await (await fetch(`${registry.url}/settings`, { headers: { cookie: admin.cookie } })).text();
  return /Mail not sent<\/dt><dd[^>]*>([^<]*)</.exec(page)?.[1];
};
const unsent = () => registry.db.selectFrom('mail').select(['recipient', 'attempts']).execute();

const hasSentDue = async () => {
  const job = registry.db.selectFrom('job').select('name').where('name', '=', 'telling people what waits');
  return (await job.executeTakeFirst()) !== undefined && (await unsent()).length === 0;
};

test.each([
  [{ kind: 'refuse' }, /^1\. Last error: .*ECONNREFUSED/],
  [{ kind: 'reset' }, /^1\. Last error: /],
  [{ kind: 'cut', afterBytes: 120 }, /^1\. Last error: /],
  [{ kind: 'silence' }, /^1\. Last error: .*([Tt]imeout|never received)/],
] as const)(
  'the mail server: %s',
  async (fault, reason) => {
    const email = `${fault.kind}@site.example`;
    await addPerson(registry.db, 'technician', email);
    expect(await shown()).toBe('none');
    await proxy.set(fault);
    const answer = await askReset(email);
    expect(answer).toEqual(await askReset(`nobody-${email}`));
    expect(answer[0]).toBe(303);
    await expect.poll(shown, LONG).toMatch(reason);
    expect(received).not.toContain(email);
    await proxy.set({ kind: 'none' });
    // As if the pause before the next try were over.
    await registry.db.updateTable('mail').set({ nextTryAt: new Date() }).execute();
    await sql`select pg_notify('mail_waiting', '')`.execute(registry.db);
    await expect.poll(() => received.filter((address) => address === email).length, LONG).toBe(1);
    await expect.poll(unsent, LONG).toEqual([]);
    expect(await shown()).toBe('none');
  },
  120_000,
);
