import { expect, test } from 'vitest';
import { nearlyKnown } from './nearly-known.server.ts';

test.each([
  ['PUBLIC_UR', 'PUBLIC_URL'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['public_url', 'PUBLIC_URL'],
  ['PULBIC_URLS', 'PUBLIC_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['PROT', 'PORT'],
  ['SMTP_URL_FIL', 'SMTP_URL_FILE'],
  ['REGISTRY_TIMEZONE', 'REGISTRY_TIME_ZONE'],
])('%s is nearly %s', (name, meant) => {
  expect(nearlyKnown({ [name]: 'x' })).toEqual([`${name} is no setting and changes nothing. Is ${meant} meant?`]);
  expect(nearlyKnown({ [name]: 'x', [meant]: 'x' })).toEqual([]);
});

test('what is set for others is none', () => {
  const others = 'PATH HOME USER SHELL LANG TERM HOSTNAME LOGNAME AWS_REGION AWS_PROFILE NODE_ENV NO_COLOR PGHOST';
  const env = Object.fromEntries(
    `${others} INVOCATION_ID JOURNAL_STREAM PWD OLDPWD TZ MAIL`.split(' ').map((n) => [n, 'x']),
  );
  expect(nearlyKnown(env)).toEqual([]);
});
