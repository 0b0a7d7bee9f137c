import { existsSync } from 'node:fs';
import { FIREFOX } from './firefox.ts';
import { WEBKIT_PROGRAMS } from './webkit.ts';

/** Whether both are here. Where they are not, their stories are not run, and say so; in CI that is a failure. */
export function hasBrowsers(): boolean {
  if ([FIREFOX, ...WEBKIT_PROGRAMS].every(existsSync)) return true;
  process.stdout.write(
    'NOT RUN: Firefox and WebKit, as firefox-esr, webkit2gtk-driver or xvfb are not on this machine.\n',
  );
  if (process.env['CI'] !== undefined) throw new Error('CI must have firefox-esr, webkit2gtk-driver and xvfb');
  return false;
}
