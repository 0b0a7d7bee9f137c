import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLogger } from './logger.server.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) }));
  return lines.join('');
}

test('an error is logged with its message, cause and place, and without the row that it quotes', () => {
  const error = Object.assign(new Error('insert failed', { cause: new Error('the cause') }), {
    code: '23505',
    detail: 'Key (name)=(Jo Nguyen) already exists.',
    where: 'SQL statement about Jo Nguyen',
  });
  const line = logged((log) => log.error({ err: error, request: 'r1' }, 'a page failed'));
  expect(JSON.parse(line)).toMatchObject({
    request: 'r1',
    msg: 'a page failed',
    err: { type: 'Error', message: 'insert failed: the cause', code: '23505' },
  });
  expect(line).toContain('logger.test.ts');
  expect(line).not.toContain('Nguyen');
});

test.each(['jo.nguyen@trucks.example', 'jo@trucks,com,au', 'jo%40trucks.com.au', "o'brien+scale@a-b.co"])(
  'the address %s in a message is not logged',
  (address) => {
    const line = logged((log) => log.warn({ reason: `550 <${address}> unknown` }, 'a mail was not sent'));
    expect(line).not.toContain(address);
    expect(line).toContain('550 <(email address)> unknown');
  },
);

test('a token in a message is not logged; hashes, ids and places are', () => {
  const token = randomBytes(32).toString('base64url');
  const kept = ['a'.repeat(64), 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6', '/app/node_modules/@hono/node-server/dist.mjs'];
  const line = logged((log) => log.error({ err: new Error(`/reset/${token} ${kept.join(' ')}`) }, 'a page failed'));
  expect(line).not.toContain(token);
  for (const text of kept) expect(line).toContain(text);
});

test('what is thrown and is no error is not written out', () => {
  expect(logged((log) => log.error({ err: { data: '/follow/leave/secret' } }, 'a page failed'))).not.toContain(
    'secret',
  );
});

test.each(['53100', 'ENOSPC'])('a full disk (%s) is said in a sentence that names DATA_DIR', (code) => {
  const words = 'could not extend file "base/16384/2619": No space left on device';
  const line = logged((log) => log.error({ err: Object.assign(new Error(words), { code }) }, 'a form failed'));
  expect(line).toContain('No room is left on the disk of DATA_DIR');
  expect(line).not.toContain('base/16384');
});
