// Every form of the product × what may become of its request: each is answered with the form's own words, keeps what was
// typed, and can be sent again.
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { makeResetToken } from '#app/account/reset-password.server.ts';
import { offerSetup } from '#app/account/set-up-registry.server.ts';
import { makeLink } from '#app/followers/links.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { FAULT_WORDS, isForm, meet, type Fault } from './faults.ts';
import { newPerson, PASSWORD, sessionOf, type Person } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego, newVehicle } from './vehicles.ts';

const FAULTS: readonly [Fault, cause: RegExp][] = [
  ['connection reset', /no-answer\. The registry did not answer\./],
  ['502 from a proxy', /no-answer\. The registry did not answer\./],
  ['503 from a proxy', /registry-unavailable\. Nothing was saved\./],
  ['offline', /no-network\. This device is offline\./],
];

type Given = { page: Page; registry: StartedRegistry; admin: Person };
type Row = {
  /** Below app/. */
  route: string;
  failure: string;
  /** The page with the form. */
  open: (given: Given) => Promise<string>;
  /** What is typed, by label. */
  typed?: Record<string, string>;
  before?: (page: Page) => Promise<unknown>;
  button: string;
  isPublic?: true;
  /** Where the route has forms in several places. */
  where?: string;
};

const key = (email: string) => email.replaceAll('.', ',');
const at = (address: string) => () => Promise.resolve(address);
const ofVehicle =
  (before: string, after: string) =>
  async ({ registry }: Given) =>
    `${before}${await newVehicle(registry)}${after}`;
const SIGN_IN = { Email: 'mia@site.example', Password: 'what was typed' };
const WORDS = 'four green weighbridges here';

const ROWS: readonly Row[] = [
  {
    route: 'account/routes/login.tsx',
    failure: FAILURES.signIn,
    open: at('/login'),
    typed: SIGN_IN,
    button: 'Submit',
    isPublic: true,
  },
  {
    route: 'account/routes/tech-login.tsx',
    failure: FAILURES.signIn,
    open: at('/tech-login'),
    typed: SIGN_IN,
    button: 'Submit',
    isPublic: true,
  },
  {
    route: 'account/routes/second-factor.tsx',
    failure: FAILURES.signIn,
    open: at('/second-factor'),
    typed: { Code: '123456' },
    button: 'Submit',
    isPublic: true,
  },
  {
    route: 'account/routes/reset.tsx',
    failure: FAILURES.reset,
    open: at('/reset'),
    typed: { Email: 'mia@site.example' },
    button: 'Reset Password',
    isPublic: true,
  },
  {
    route: 'account/routes/reset-link.tsx',
    failure: FAILURES.reset,
    async open({ registry: { db }, admin }) {
      const made = await db.transaction().execute((tx) => makeResetToken(tx, admin.email, new Date(), 600_000));
      return `/reset/${made?.token ?? ''}`;
    },
    typed: { 'New password': WORDS, 'New password again': WORDS },
    button: 'Set password',
    isPublic: true,
  },
  { route: 'account/routes/logout.tsx', failure: FAILURES.logout, open: at('/logout'), button: 'Logout' },
  {
    route: 'account/routes/logout.tsx',
    failure: FAILURES.logout,
    open: at('/dashboard'),
    button: 'Logout',
    where: ' in the sidebar',
  },
  {
    route: 'account/routes/new-password.tsx',
    failure: FAILURES.password,
    open: at('/new-password'),
    typed: { 'Current password': PASSWORD, 'New password': WORDS, 'New password again': WORDS },
    button: 'Change password',
  },
  {
    route: 'account/routes/set-up-second-factor.tsx',
    failure: FAILURES.secondFactor,
    open: at('/settings/second-factor'),
    typed: { 'Current password': PASSWORD },
    button: 'Begin',
  },
  {
    route: 'account/routes/update-profile.tsx',
    failure: FAILURES.profile,
    open: at('/profile/update'),
    typed: { Name: 'Mia K.', Notes: 'Typed.' },
    button: 'Update',
  },
  {
    route: 'back-office/routes/settings.tsx',
    failure: FAILURES.sessions,
    async open({ registry, admin }) {
      await sessionOf(registry, admin);
      return '/settings';
    },
    button: 'End all other sessions',
  },
  {
    route: 'registry-settings/routes/change.tsx',
    failure: FAILURES.policy,
    open: at('/settings/policy'),
    typed: { 'Reason (optional)': 'A trial.' },
    button: 'Save',
  },
  {
    route: 'vehicles/routes/new.tsx',
    failure: FAILURES.addVehicle,
    open: async () => `/vehicles/new/${newRego()}`,
    typed: { Make: 'Volvo', Notes: 'Typed.' },
    button: 'Add Vehicle',
  },
  {
    route: 'vehicles/routes/update.tsx',
    failure: FAILURES.updateVehicle,
    open: ofVehicle('/vehicles/update/', ''),
    typed: { Make: 'Mack', Notes: 'Typed.' },
    button: 'Update Vehicle',
  },
  {
    route: 'vehicles/routes/delete.tsx',
    failure: FAILURES.deletion,
    open: ofVehicle('/vehicles/delete/', ''),
    button: 'Delete',
  },
  {
    route: 'vehicles/routes/removed.tsx',
    failure: FAILURES.restore,
    async open({ registry: { db } }) {
      await db.insertInto('vehicle').values({ rego: newRego(), deletedAt: new Date() }).execute();
      return '/vehicles/removed';
    },
    button: 'Restore',
  },
  {
    route: 'vehicles/routes/validate.tsx',
    failure: FAILURES.validation,
    open: ofVehicle('/vehicles/view/', ''),
    typed: { 'Reason (optional)': 'Seen.' },
    button: 'Validate',
  },
  {
    route: 'vehicles/routes/view.tsx',
    failure: FAILURES.calibration,
    open: ofVehicle('/vehicles/view/', '?calibrate'),
    // Its unit follows.
    typed: { '^Value': '5890' },
    before: (page) => page.getByRole('radio', { name: 'Empty Weight' }).check(),
    button: 'Add entry',
  },
  {
    route: 'calibrations/routes/calibrate.tsx',
    failure: FAILURES.calibration,
    open: ofVehicle('/vehicles/calibrate/', ''),
    typed: { 'Weighbridge (optional)': 'Yatala', 'Notes (optional)': 'Typed.' },
    button: 'Record calibration',
  },
  {
    route: 'calibrations/routes/correct.tsx',
    failure: FAILURES.correction,
    async open({ registry: { db, url }, page }) {
      const rego = newRego();
      await db.insertInto('vehicle').values({ rego }).execute();
      const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      const body = new URLSearchParams({ rego, axle: 'STEER', attribute: 'Empty Volt', value: '0.84', due_date: '' });
      await fetch(`${url}/vehicles/view/${rego}?calibrate`, {
        method: 'POST',
        headers: { cookie, origin: url },
        body,
        redirect: 'manual',
      });
      const { id } = await db.selectFrom('calibration').select('id').where('rego', '=', rego).executeTakeFirstOrThrow();
      return `/calibrations/correct/${rego}/${id}`;
    },
    typed: { Reason: 'A slip.' },
    button: 'Correct entry',
  },
  {
    route: 'admins/routes/new.tsx',
    failure: FAILURES.addAdmin,
    open: at('/admins/new'),
    typed: { Email: 'new@site.example', Password: WORDS, Name: 'New' },
    button: 'Add Admin',
  },
  {
    route: 'admins/routes/update.tsx',
    failure: FAILURES.profile,
    open: async ({ registry }) => `/admins/update/${key((await newPerson(registry, 'admin')).email)}`,
    typed: { Name: 'Other', Notes: 'Typed.' },
    button: 'Update',
  },
  {
    route: 'admins/routes/delete.tsx',
    failure: FAILURES.deletion,
    open: async ({ registry }) => `/admins/delete/${key((await newPerson(registry, 'admin')).email)}`,
    button: 'Delete',
  },
  {
    route: 'admins/routes/erase.tsx',
    failure: FAILURES.erasure,
    async open({ registry }) {
      const { recordId, email } = await newPerson(registry, 'admin');
      await registry.db.updateTable('admin').set({ deletedAt: new Date() }).where('id', '=', recordId).execute();
      return `/admins/erase/${key(email)}`;
    },
    typed: { Reason: 'They asked.' },
    button: 'Erase',
  },
  {
    route: 'technicians/routes/delete.tsx',
    failure: FAILURES.deletion,
    open: async ({ registry }) => `/technicians/delete/${key((await newPerson(registry, 'technician')).email)}`,
    button: 'Delete',
  },
  {
    route: 'technicians/routes/erase.tsx',
    failure: FAILURES.erasure,
    async open({ registry }) {
      const { recordId, email } = await newPerson(registry, 'technician');
      await registry.db.updateTable('technician').set({ deletedAt: new Date() }).where('id', '=', recordId).execute();
      return `/technicians/erase/${key(email)}`;
    },
    typed: { Reason: 'They asked.' },
    button: 'Erase',
  },
  {
    route: 'applications/routes/tech-register.tsx',
    failure: FAILURES.techRegister,
    open: at('/tech-register'),
    typed: { 'Company name': 'Northside', Email: 'office@site.example' },
    button: 'Register',
    isPublic: true,
  },
  {
    route: 'applications/routes/view.tsx',
    failure: FAILURES.approve,
    async open({ registry: { db } }) {
      await db.insertInto('application').values({ email: 'ask@site.example' }).execute();
      return '/applications/view/ask@site,example?approve';
    },
    typed: { Password: WORDS },
    button: 'Register Technician',
  },
  {
    route: 'applications/routes/delete.tsx',
    failure: FAILURES.deletion,
    async open({ registry: { db } }) {
      await db.insertInto('application').values({ email: 'no@site.example' }).execute();
      return '/applications/delete/no@site,example';
    },
    typed: { 'Reason (optional)': 'No such firm.' },
    button: 'Delete',
  },
  {
    route: 'followers/routes/follow.tsx',
    failure: FAILURES.follow,
    open: ofVehicle('/vehicles/follow/', ''),
    typed: { Email: 'me@site.example' },
    button: 'Send me the link',
    isPublic: true,
  },
  {
    route: 'followers/routes/confirm.tsx',
    failure: FAILURES.follow,
    open: (given) => linkOf(given, 'confirm'),
    button: 'Follow',
    isPublic: true,
  },
  {
    route: 'followers/routes/leave.tsx',
    failure: FAILURES.unfollow,
    open: (given) => linkOf(given, 'leave'),
    button: 'Stop emails',
    isPublic: true,
  },
];

async function linkOf({ registry: { db } }: Given, purpose: 'confirm' | 'leave'): Promise<string> {
  const { id: vehicleId } = await db
    .insertInto('vehicle')
    .values({ rego: newRego() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return db.transaction().execute(async (tx) => {
    const email = `${purpose}@site.example`;
    const { id } = await tx
      .insertInto('follower')
      .values({ vehicleId, email, askedAt: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return `/follow/${purpose}/${await makeLink(tx, id, purpose, new Date())}`;
  });
}

for (const row of ROWS)
  test(`${row.route.replace('.tsx', '')}${row.where ?? ''}: lost, refused by a proxy, offline`, async ({
    page,
    registry,
    quiet,
  }) => {
    quiet.allow(FAULT_WORDS);
    const admin = await newPerson(registry, 'admin');
    if (row.isPublic === undefined) await enter(page, registry, admin);
    await page.goto(await row.open({ page, registry, admin }));
    await hydrated(page);
    await survives(page, row);
  });

test('account/routes/setup: lost, refused by a proxy, offline', async ({ page, quiet }) => {
  quiet.allow(FAULT_WORDS);
  // While nobody can sign in.
  const registry = await startRegistry();
  try {
    await page.goto(`${registry.url}/setup?link=${(await offerSetup(registry.db)) ?? ''}`);
    await hydrated(page);
    await survives(page, {
      failure: FAILURES.setUp,
      typed: { Email: 'first@site.example', Name: 'First', 'New password': WORDS, 'New password again': WORDS },
      button: 'Set up',
    });
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await page.goto('about:blank');
  } finally {
    await registry.stop();
  }
});

async function enter(page: Page, registry: StartedRegistry, person: Person): Promise<void> {
  const { cookie } = await sessionOf(registry, person);
  await page.context().addCookies(
    cookie.split('; ').map((each) => {
      const [name = '', ...value] = each.split('=');
      return { name, value: value.join('='), url: registry.url };
    }),
  );
}

async function survives(
  page: Page,
  { failure, typed = {}, before, button }: Omit<Row, 'route' | 'open'>,
): Promise<void> {
  const send = page.getByRole('button', { name: button, exact: !/^(Follow|Restore|Delete)$/.test(button) });
  await before?.(page);
  const fields: [Locator, string][] = Object.entries(typed).map(([label, text]) => [
    label.startsWith('^') ? page.getByLabel(new RegExp(label)) : page.getByLabel(label, { exact: true }),
    text,
  ]);
  for (const [field, text] of fields) await field.fill(text);
  const { href } = new URL(page.url());
  for (const [fault, cause] of FAULTS) {
    const lost = await meet(page, fault, isForm);
    await send.first().click();
    const message = page
      .locator('[role="alert"], .toast-error')
      .filter({ hasText: failure })
      .filter({ hasText: cause });
    await expect(message.first()).toBeVisible();
    for (const [field, text] of fields) await expect(field).toHaveValue(text);
    expect([fault, page.url()]).toEqual([fault, href]);
    await expect.poll(lost.met).toBeGreaterThan(0);
    await lost.mend();
  }
  const answered = page.waitForResponse((response) => isForm(response.request()));
  await send.first().click();
  expect((await answered).status()).toBeLessThan(500);
}

test('the table names every route that takes a form, and each of them survives', async () => {
  const app = path.resolve(import.meta.dirname, '../app');
  const forms: string[] = [];
  for await (const route of glob('*/routes/*.tsx', { cwd: app })) {
    const source = await readFile(path.join(app, route), 'utf8');
    if (/^export (const|function|async function) action\b/m.test(source)) forms.push(route);
  }
  // Files are sent by a script of their own, which tries again by itself.
  const named = [...ROWS.map(({ route }) => route), 'account/routes/setup.tsx', 'files/routes/upload.tsx'];
  expect(forms.filter((route) => !named.includes(route))).toEqual([]);
});

test('an answer that is lost on its way back: sent again, it counts once', async ({ page, registry, quiet }) => {
  quiet.allow(FAULT_WORDS);
  await enter(page, registry, await newPerson(registry, 'admin'));
  const rego = newRego();
  await page.goto(`/vehicles/new/${rego}`);
  await hydrated(page);
  await page.getByLabel('Make').fill('Volvo');
  await page.route('**/vehicles/new/**', async (route) => {
    if (!isForm(route.request())) return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await expect(page.getByRole('alert')).toContainText('no-answer.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForURL('**/vehicles**');
  const kept = await registry.db.selectFrom('vehicle').select('make').where('rego', '=', rego).execute();
  expect(kept).toEqual([{ make: 'Volvo' }]);
});

test('on a phone an unsaved form says so in view, and the message has the focus', async ({ page, registry, quiet }) => {
  quiet.allow(FAULT_WORDS);
  await page.setViewportSize({ width: 390, height: 700 });
  await enter(page, registry, await newPerson(registry, 'technician'));
  for (const [address, button] of [
    ['/vehicles/calibrate/', 'Record calibration'],
    ['/vehicles/update/', 'Update Vehicle'],
  ] as const) {
    await page.goto(`${address}${await newVehicle(registry)}`);
    await hydrated(page);
    await page.getByLabel(/^Notes/).fill('Typed in the yard.');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: button }).click();
    const bar = page.getByText('Not saved: offline.').locator('..');
    await expect(bar).toBeFocused();
    await expect(bar).toBeInViewport({ ratio: 1 });
    // Also from the head of the form, whose end is far below.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(bar).toBeInViewport({ ratio: 1 });
    await page.context().setOffline(false);
    await expect(page.getByLabel(/^Notes/)).toHaveValue('Typed in the yard.');
    const answered = page.waitForResponse((response) => isForm(response.request()));
    await bar.getByRole('button', { name: 'Try again' }).click();
    await answered;
  }
});
