// GET /.well-known/security.txt (RFC 9116): whom to report a vulnerability to. Served when SECURITY_CONTACT is set.
import { Hono } from 'hono';
import type { Config } from '#app/platform/process/config.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';

// RFC 9116 requires Expires and recommends less than a year. Each answer states a new date, so a running registry stays
// valid.
const DAYS = 180;
const DAY_MS = 86_400_000;

export function securityTxtApp(
  { securityContact, publicUrl }: Pick<Config, 'securityContact' | 'publicUrl'>,
  now: () => Date = () => new Date(),
): Hono {
  const app = new Hono();
  app.get('/', (context) => {
    if (securityContact === undefined)
      return problem(404, 'no-security-contact', { detail: 'This registry names no contact for security.' });
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(now().getTime() + DAYS * DAY_MS).toISOString()}`,
      'Preferred-Languages: en',
      ...(publicUrl === undefined ? [] : [`Canonical: ${publicUrl.origin}/.well-known/security.txt`]),
    ];
    return context.text(`${lines.join('\n')}\n`, 200, { 'cache-control': 'public, max-age=3600' });
  });
  return app;
}
