import { expect, test } from 'vitest';
import { readConfig } from '#app/platform/process/config.server.ts';
import { createTestServices } from '#test/services.ts';
import { createApp } from './app.ts';
import { securityTxtApp } from './security-txt.ts';

const ask = async (env: NodeJS.ProcessEnv) => {
  const answer = await securityTxtApp(readConfig(env), () => new Date('2026-11-23T00:00:00Z')).request('/');
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

test('SECURITY_CONTACT is in /.well-known/security.txt, as RFC 9116 has it', async () => {
  const { status, type, text } = await ask({
    SECURITY_CONTACT: 'security@registry.example',
    PUBLIC_URL: 'https://registry.example',
  });
  expect([status, type]).toEqual([200, 'text/plain; charset=UTF-8']);
  expect(text.split('\n')).toEqual([
    'Contact: mailto:security@registry.example',
    'Expires: 2027-05-22T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://registry.example/.well-known/security.txt',
    '',
  ]);
  expect((await ask({ SECURITY_CONTACT: 'https://registry.example/report a hole' })).text).toContain(
    'Contact: https://registry.example/report%20a%20hole\n',
  );
});

test('the registry answers there', async () => {
  const services = await createTestServices({ SECURITY_CONTACT: 'security@registry.example' });
  const answer = await createApp(services).request(
    '/.well-known/security.txt',
    { headers: { host: 'localhost' } },
    { incoming: { socket: { remoteAddress: '::1' } } },
  );
  expect(await answer.text()).toContain('Contact: mailto:security@registry.example\n');
  await services.stop();
});

test('without it there is none', async () => {
  expect((await ask({})).status).toBe(404);
});

test('what nobody can be reached by stops the start', () => {
  for (const SECURITY_CONTACT of ['security', 'http://registry.example', 'a@b.example\nExpires: x', 'a b@c.example'])
    expect(() => readConfig({ SECURITY_CONTACT }), SECURITY_CONTACT).toThrow(
      'SECURITY_CONTACT must be an email address, or an address that begins with https://.',
    );
});
