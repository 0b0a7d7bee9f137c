import { expect, test } from 'vitest';
import { newLinkToken } from '#app/access/one-time-link.server.ts';
import { linesWithSecrets } from './log-secrets.ts';

test.each([
  '{"path":"/admins/view/jo@trucks,com"}',
  '{"path":"/admins/view/jo%40trucks.com"}',
  `{"path":"/x/${newLinkToken().token}"}`,
  '{"path":"/reset/short"}',
  '{"path":"/follow/leave/short"}',
  '{"path":"/setup?link=short"}',
])('%s holds one', (line) => expect(linesWithSecrets(`{"msg":"request"}\n${line}\n`)).toEqual([line]));

test.each([
  '{"request":"f81d4fae-7dec-41d0-a765-00a0c91e6bf6","route":"/reset/:token","status":200}',
  `{"key":"certificates/ABC123/${'0f'.repeat(32)}.pdf","msg":"at file:///x/node_modules/@hono/node-server/a.mjs"}`,
  'Set up the first one, once: http://127.0.0.1/setup?link=abc',
])('%s holds none', (line) => expect(linesWithSecrets(line)).toEqual([]));
