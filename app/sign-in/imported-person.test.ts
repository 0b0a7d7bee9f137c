// A person whom an import admitted: whatever their address is, they can ask for a password and sign in with it.
import path from 'node:path';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMail } from '#app/platform/mail/mail.server.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { importInto } from '#test/import-run.ts';
import { VISITOR } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { composeMail } from '#server/compose-mail.ts';
import { requestPasswordReset, resetPassword } from './reset-password.server.ts';
import { signIn } from './sign-in.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices();
});
afterAll(() => services.stop());

const PHRASE = 'a longer phrase of my own';

test.each([
  ['j&r.transport@bigpond.example', 'j&r,transport@bigpond,example'],
  ["#!o'brien/scales=1@site.example", "#!o'brien/scales=1@site,example"],
  ['info@xn--mnchen-3ya.example', 'info@münchen,example'],
])('%s is imported, asks for a reset and signs in', async (email, key) => {
  await importInto(services, { Technicians: { [key]: { email: key.replaceAll(',', '.'), company_name: 'J & R' } } });
  await requestPasswordReset(services, VISITOR, { email });
  const outbox = openMail(services, composeMail(services), HELD_LEASE);
  await outbox.sendWaiting();
  await outbox.close();
  const folder = path.join(services.config.dataDir, 'outbox');
  const mails = await Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), 'utf8')));
  const mail = mails.find((text) => text.includes(`To: ${email}`))?.replaceAll(/=\r?\n/g, '') ?? '';
  const [, token = ''] = /\/reset\/([\w-]{43})/.exec(mail) ?? [];
  expect(await resetPassword(services, { token, password: PHRASE })).toMatchObject({ reset: true });
  expect(await signIn(services, VISITOR, { email, password: PHRASE })).toMatchObject({ state: 'signed-in' });
  expect(await signIn(services, VISITOR, { email, password: 'another phrase' })).toEqual({ state: 'refused' });
});
