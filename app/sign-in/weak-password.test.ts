import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAdmin } from '#app/admins/add-admin.server.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { DEMO_SIGN_INS } from '#commands/demo/people.ts';
import { addPerson, PASSWORD, signedIn, VISITOR } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { changePassword } from './change-password.server.ts';
import { makeResetToken, RESET_LINK_LIFE_MS, resetPassword } from './reset-password.server.ts';
import { createAdmin, offerSetup, setUpRegistry } from './set-up-registry.server.ts';
import { EASY_PASSWORD, PERSONAL_PASSWORD, weaknessOf } from './weak-password.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
});
afterAll(() => services.stop());

const REGISTRY = { registryName: 'Truck Scale Registry' };
const JO = ['Jo Nguyen', 'j.nguyen@northernscales.example', 'Northern Scales (WA) Pty Ltd'];

// In a process of its own: a test before this one may have loaded the judge.
const FIRST_PASSWORD = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const isLoaded = () => loaded.some((url) => url.includes('@zxcvbn-ts/core'));
  const { weaknessOf } = await import('#app/sign-in/weak-password.server.ts');
  const before = isLoaded();
  const weakness = await weaknessOf(${JSON.stringify(REGISTRY)}, 'password', ${JSON.stringify(JO)});
  console.log(JSON.stringify({ before, weakness, after: isLoaded() }));
`;

test('its judge is loaded at the first password, and its sentence says what to do instead', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', FIRST_PASSWORD]);
  expect(JSON.parse(stdout)).toEqual({
    before: false,
    weakness: expect.stringMatching(/\. Use four or five words that do not belong together\.$/),
    after: true,
  });
});

test.each([
  'aaaaaaaa',
  'Passw0rd!',
  'Summer2026!',
  'truckscale',
  'qwertyuiop',
  '12345678',
  '20261123',
  'Ab1!Ab1!Ab1!',
  'letmein2026',
  'monkey123456',
  'a'.repeat(128),
])('what is guessed first is refused: %s', async (password) => {
  expect(await weaknessOf(REGISTRY, password, JO)).toBe(EASY_PASSWORD);
});

test.each([
  'Truck Scale Registry',
  'TruckScaleRegistry2026!',
  'truck-scale-registry',
  'Truck$c@leReg1stry',
  'j.nguyen@northernscales.example',
  'J.Nguyen@NorthernScales.example1',
  'Northern Scales (WA) Pty Ltd',
  'NorthernScales2026!',
  'N0rthern$cale5!',
  'jnguyennorthernscales',
])('nor do names, emails, companies and the registry’s name make a strong one: %s', async (password) => {
  expect([EASY_PASSWORD, PERSONAL_PASSWORD]).toContain(await weaknessOf(REGISTRY, password, JO));
});

test('a sentence that nobody else would say is strong, also with one of these words in it', async () => {
  const strong = ['Jo parks four rusty scales at dawn', 'correct horse battery staple', 'xK9#vR2$mQ7p', PASSWORD];
  for (const password of [...strong, ...DEMO_SIGN_INS.flatMap((one) => one.password ?? [])])
    expect(await weaknessOf(REGISTRY, password, JO), password).toBeUndefined();
  // Regular-expression characters in a name are matched literally.
  expect(await weaknessOf({ registryName: 'A (b+ [c' }, PASSWORD, ['x.*', '\\'])).toBeUndefined();
});

test('of a long password the beginning is judged: the whole of it could take seconds', async () => {
  const strong = 'gravel weighs more wet than thistles';
  expect(await weaknessOf(REGISTRY, strong + 'a'.repeat(92), JO)).toBeUndefined();
  expect(await weaknessOf(REGISTRY, 'a'.repeat(92) + strong, JO)).toBe(EASY_PASSWORD);
});

test('every way to set a password judges it, with the words of the person whose it is', async () => {
  const { db } = services;
  const token = (await offerSetup(db)) ?? '';
  const first = { email: 'first@registry.example', name: 'Robin Underwood' };
  const weak = (who: string) => `${who}2026!`;
  const refusedInSetup = await setUpRegistry(services, { ...first, password: weak('RobinUnderwood'), token });
  expect(refusedInSetup).toMatchObject({ done: false, reason: 'password', message: PERSONAL_PASSWORD });
  const byCommand = { ...first, password: weak('RobinUnderwood'), mustChange: false };
  expect(await createAdmin(services, byCommand)).toMatchObject({ created: false, message: PERSONAL_PASSWORD });

  await addPerson(db, 'admin', 'mia@registry.example', { name: 'Miabella Kowalewska' });
  const { who } = await signedIn(services, 'mia@registry.example');
  const own = weak('MiabellaKowalewska');
  expect(await changePassword(services, who, { visitor: VISITOR, current: PASSWORD, password: own })).toMatchObject({
    field: 'password',
    message: PERSONAL_PASSWORD,
  });
  const made = await db
    .transaction()
    .execute((tx) => makeResetToken(tx, 'mia@registry.example', { now: services.now(), lifeMs: RESET_LINK_LIFE_MS }));
  expect(await resetPassword(services, { token: made?.token ?? '', password: own })).toMatchObject({
    reason: 'password',
    message: PERSONAL_PASSWORD,
  });

  const added = {
    email: 'eleonora@registry.example',
    name: 'Eleonora Vandersteen',
    password: weak('EleonoraVandersteen'),
  };
  const more = { phone: '', address: '', role: '', dob: null, notes: '', image: '' };
  expect(await addAdmin(services, who, { input: { ...added, ...more }, key: randomUUID() })).toMatchObject({
    reason: 'password',
    message: PERSONAL_PASSWORD,
  });

  const email = 'boss@gundagai-weighers.example';
  await db
    .insertInto('application')
    .values({ email, companyName: 'Gundagai Weighers', repName: 'Bernadette Oyelaran', requestedAt: services.now() })
    .execute();
  for (const password of [weak('GundagaiWeighers'), weak('BernadetteOyelaran'), weak('boss@gundagai-weighers')])
    expect(
      await approveApplication(services, who, { email, first: { by: 'admin', password }, key: randomUUID() }),
    ).toMatchObject({
      reason: 'password',
      message: PERSONAL_PASSWORD,
    });
});

test('a technician’s own words are the company, the representative and the email', async () => {
  const { db } = services;
  const email = 'chief@wodonga-balances.example';
  const { recordId } = await addPerson(db, 'technician', email, { name: 'Philippa Okonjo' });
  await db.updateTable('technician').set({ companyName: 'Corryong Loads' }).where('id', '=', recordId).execute();
  const made = await db
    .transaction()
    .execute((tx) => makeResetToken(tx, email, { now: services.now(), lifeMs: RESET_LINK_LIFE_MS }));
  for (const word of ['CorryongLoads', 'PhilippaOkonjo', 'chief@wodonga-balances'])
    expect(await resetPassword(services, { token: made?.token ?? '', password: `${word}2026!` }), word).toMatchObject({
      reason: 'password',
      message: PERSONAL_PASSWORD,
    });
});
