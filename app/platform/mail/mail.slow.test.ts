import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { composeMail } from '#server/compose-mail.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson } from '#test/people.ts';
import { openMail, queueMail } from './mail.server.ts';

type Received = { from: string; to: string[]; text: string };
let services: TestServices;
let server: SMTPServer;
let received: Received[];
let refuseWith: Error | undefined;

beforeEach(async () => {
  received = [];
  refuseWith = undefined;
  const onData: SMTPServerOptions['onData'] = (stream, session, done) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    stream.on('end', () => {
      if (refuseWith !== undefined) return done(refuseWith);
      const { mailFrom, rcptTo } = session.envelope;
      received.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        text,
      });
      done();
    });
  };
  server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], onData, logger: false });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  services = await createTestServices({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Registry <no-reply@registry.example>',
    PUBLIC_URL: 'https://registry.example',
  });
  await addPerson(services.db, 'admin', 'mia@registry.example');
});
afterEach(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await services.stop();
});

const later = (ms: number) => services.setNow(new Date(services.now().getTime() + ms).toISOString());
const ask = (recipient: string) => queueMail(services.db, { kind: 'password-reset', recipient, facts: {} });
const waiting = () => services.db.selectFrom('mail').select(['attempts', 'lastError', 'givenUpAt']).execute();

test('the reset mail goes through an SMTP conversation, in plain text and HTML, with a link that works', async () => {
  later(Date.now() - services.now().getTime() + 1000);
  const outbox = openMail(services, composeMail(services), HELD_LEASE);
  await ask('mia@registry.example');
  await expect.poll(() => received.length, { timeout: 5000 }).toBe(1);
  await outbox.close();
  const [mail] = received;
  expect(mail).toMatchObject({ from: 'no-reply@registry.example', to: ['mia@registry.example'] });
  expect(mail?.text).toMatch(/^Subject: .*Set a new password/m);
  expect(mail?.text).toMatch(/Content-Type: text\/plain/);
  expect(mail?.text).toMatch(/Content-Type: text\/html/);
  const unfolded = mail?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
  const [, token] = /https:\/\/registry\.example\/reset\/([A-Za-z0-9_-]{43})/.exec(unfolded) ?? [];
  const { isResetTokenGood } = await import('#app/sign-in/reset-password.server.ts');
  expect(await isResetTokenGood(services, token ?? '')).toBe(true);
  expect(await waiting()).toEqual([]);
});

test('what cannot be sent waits and is tried again with growing pauses; its link is made again', async () => {
  later(Date.now() - services.now().getTime() + 1000);
  const outbox = openMail(services, composeMail(services), HELD_LEASE);
  refuseWith = Object.assign(new Error('mailbox busy'), { responseCode: 451 });
  await ask('mia@registry.example');
  await expect.poll(waiting, { timeout: 5000 }).toMatchObject([{ attempts: 1, givenUpAt: null }]);
  expect((await waiting())[0]?.lastError).toContain('mailbox busy');
  await outbox.sendWaiting();
  expect(await waiting()).toMatchObject([{ attempts: 1 }]);
  refuseWith = undefined;
  later(5001);
  await outbox.sendWaiting();
  expect(received).toHaveLength(1);
  expect(await waiting()).toEqual([]);
  await outbox.close();
});

test('after nine failures a mail is given up, and stays to be seen', async () => {
  later(Date.now() - services.now().getTime() + 1000);
  refuseWith = Object.assign(new Error('no such user'), { responseCode: 550 });
  const outbox = openMail(services, composeMail(services), HELD_LEASE);
  await ask('mia@registry.example');
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await outbox.sendWaiting();
    later(5 * 3_600_000);
  }
  expect(await waiting()).toMatchObject([{ attempts: 9 }]);
  expect((await waiting())[0]?.givenUpAt).not.toBeNull();
  await outbox.close();
});

test('two nodes send each mail once', async () => {
  later(Date.now() - services.now().getTime() + 1000);
  for (let index = 0; index < 10; index += 1) await addPerson(services.db, 'technician', `tech${index}@scales.example`);
  const nodes = [
    openMail(services, composeMail(services), HELD_LEASE),
    openMail(services, composeMail(services), HELD_LEASE),
  ];
  for (let index = 0; index < 10; index += 1) await ask(`tech${index}@scales.example`);
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(10);
  await Promise.all(nodes.map((node) => node.close()));
  expect(new Set(received.flatMap(({ to }) => to)).size).toBe(10);
  expect(received).toHaveLength(10);
});

test('an address cannot add recipients or headers', async () => {
  later(Date.now() - services.now().getTime() + 1000);
  const outbox = openMail(
    services,
    async () => ({ subject: 'Hello\r\nBcc: all@x.example', text: 'x', html: 'x' }),
    HELD_LEASE,
  );
  await queueMail(services.db, { kind: 'any', recipient: 'mia@registry.example, eve@x.example', facts: {} });
  await expect.poll(async () => received.length + (await waiting()).filter((mail) => mail.attempts > 0).length).toBe(1);
  await outbox.close();
  for (const mail of received) {
    expect(mail.to).not.toContain('eve@x.example');
    expect(mail.text).not.toMatch(/^Bcc:/m);
  }
});
