import { expect, test } from 'vitest';
import { addAdminSchema } from '#app/admins/admin.ts';
import { applicationSchema } from '#app/applications/application.ts';
import { addressOfKey } from '#app/import/record-reader.ts';
import { newAdminSchema, setupSchema, signInSchema } from '#app/sign-in/sign-in-entry.ts';
import { email, parseEmailKey, readEmail } from './email.ts';

const LONG = 'x'.repeat(64);
const TAKEN = [
  ['name@site.com.au', 'name@site.com.au'],
  [' J&R.Transport@BigPond.example ', 'j&r.transport@bigpond.example'],
  ["d.o'brien+scale@site.com", "d.o'brien+scale@site.com"],
  ["!#$%&'*+/=?^_`{|}~-@site.com", "!#$%&'*+/=?^_`{|}~-@site.com"],
  ['info@münchen.example', 'info@xn--mnchen-3ya.example'],
  ['INFO@MÜNCHEN.EXAMPLE', 'info@xn--mnchen-3ya.example'],
  ['info@xn--mnchen-3ya.xn--p1ai', 'info@xn--mnchen-3ya.xn--p1ai'],
  [`${LONG}@site.com`, `${LONG}@site.com`],
] as const;
const REFUSED = [
  '',
  'nobody',
  '@site.com',
  'x@',
  'x@site',
  'x@site-.com',
  'x@-site.com',
  'x@site..com',
  'x@.com',
  'x@site.com.',
  'x@site.1',
  'x@192.0.2.7',
  'x@[192.0.2.7]',
  'x@under_score.com',
  '.x@site.com',
  'x.@site.com',
  'x..y@site.com',
  '"x y"@site.com',
  'x y@site.com',
  'x(y)@site.com',
  'x<y>@site.com',
  'x;y@site.com',
  'jörg@site.com',
  'x@y@site.com',
  'x\u202e@site.com',
  'x@si\u200dte.com',
  'x@site.com/ü',
  'x@site\u0000.com',
  `x${LONG}@site.com`,
  `x@${`${'y'.repeat(62)}.`.repeat(4)}com`,
  `x@${'y'.repeat(64)}.com`,
];

// Each schema that takes an address, with what else it needs.
const admin = { password: 'a weighbridge in the rain', repeat: 'a weighbridge in the rain', name: 'Jo' };
const FORMS = [
  ['a form', email, (address: string): unknown => address],
  ['sign-in', signInSchema, (address: string) => ({ ...admin, email: address })],
  ['set-up', setupSchema, (address: string) => ({ ...admin, email: address })],
  ['create-admin', newAdminSchema, (address: string) => ({ ...admin, email: address })],
  ['a new admin', addAdminSchema, (address: string) => ({ ...admin, email: address })],
  [
    'tech-register',
    applicationSchema,
    (address: string) => ({ company_name: 'J', abn: '1', trade_licence_num: '1', email: address }),
  ],
] as const;

test.each(FORMS)('%s takes what mail servers take, in one form, and refuses the rest', (_form, schema, given) => {
  for (const [typed, stored] of TAKEN) {
    const parsed = schema.safeParse(given(typed));
    expect([typed, parsed.data]).toEqual([
      typed,
      typeof parsed.data === 'string' ? stored : expect.objectContaining({ email: stored }),
    ]);
  }
  for (const typed of REFUSED) expect([typed, schema.safeParse(given(typed)).success]).toEqual([typed, false]);
});

test('an import takes and refuses the same, with commas for dots', () => {
  for (const [typed, stored] of TAKEN) {
    expect(readEmail(typed)).toBe(stored);
    expect(addressOfKey(typed.replaceAll('.', ','))).toBe(stored);
  }
  for (const typed of REFUSED) expect([typed, addressOfKey(typed.replaceAll('.', ','))]).toEqual([typed, undefined]);
});

test('what an earlier import took still opens its page', () => {
  for (const address of ['jörg@münchen.example', 'x@site-.com']) expect(parseEmailKey(address)).toBe(address);
});
