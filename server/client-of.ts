// The address under which rate limits count a client. An IPv6 client has a whole /64 and may use a new address for each
// request, so its network counts.
import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { MiddlewareHandler } from 'hono';
import type { Config } from '#app/platform/process/config.server.ts';
import type { ServerEnv } from './server-env.ts';

export function clientAddress({ trustProxy }: Config): MiddlewareHandler<ServerEnv> {
  return (context, next) => {
    const forwarded = trustProxy ? context.req.header('x-forwarded-for') : undefined;
    context.set('clientAddress', clientOf(getConnInfo(context).remote.address, forwarded));
    return next();
  };
}

/**
 * The client behind a request: an IPv4 address, or the first address of an IPv6 /64. `forwarded` is X-Forwarded-For of
 * a trusted proxy: only its last entry was written by that proxy. An invalid address is ignored. Empty when none is
 * known.
 */
export function clientOf(socket: string | undefined, forwarded: string | undefined): string {
  return networkOf(forwarded?.split(',').at(-1) ?? '') ?? networkOf(socket ?? '') ?? '';
}

function networkOf(text: string): string | undefined {
  // Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711.
  const [, bracketed, dotted] = /^\s*(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? [];
  const address = (bracketed ?? dotted ?? text).trim().replace(/%.*$/s, '').toLowerCase();
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  // The URL parser writes each address in its one canonical form, with the longest run of zeros left out (RFC 5952).
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups[6] ?? '', groups[7] ?? '');
  return `${groups.slice(0, 4).join(':')}::`;
}

function ipv4Of(high: string, low: string): string {
  const number = parseInt(high, 16) * 0x1_00_00 + parseInt(low, 16);
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');
}
