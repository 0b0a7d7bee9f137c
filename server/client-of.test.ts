import { expect, test } from 'vitest';
import { clientOf } from './client-of.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:DB8:1:2::', '2001:db8:1:2::'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::'],
  ['2001:db8:1:3::1', '2001:db8:1:3::'],
  ['2001:db8::1', '2001:db8:0:0::'],
  ['2001:db8:0:0:9::1', '2001:db8:0:0::'],
  ['::1', '0:0:0:0::'],
  ['fe80::1%eth0', 'fe80:0:0:0::'],
  [undefined, ''],
  ['', ''],
])('a client at %s is %s', (socket, client) => expect(clientOf(socket, undefined)).toBe(client));

test.each([
  ['198.51.100.4', '198.51.100.4'],
  ['10.0.0.1, 2001:db8:1:2::99', '2001:db8:1:2::'],
  ['[2001:db8:1:2::99]:4711', '2001:db8:1:2::'],
  ['198.51.100.4:4711', '198.51.100.4'],
  ['unknown', '192.0.2.7'],
  ['', '192.0.2.7'],
  ['1.2.3.4, \u0000', '192.0.2.7'],
  ['999.1.1.1', '192.0.2.7'],
])('behind a trusted proxy that says %j it is %s', (forwarded, client) =>
  expect(clientOf('192.0.2.7', forwarded)).toBe(client),
);
