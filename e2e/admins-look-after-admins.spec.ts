import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { emailSegment } from '#app/account/email-key.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { mailTo } from './mails.ts';
import { expect, hydrated, test } from './registry.ts';
import { fillSignIn, newPerson, PASSWORD, sessionOf, signInAs } from './people.ts';

let made = 0;
const newEmail = () => `added${(made += 1)}.${process.pid}@registry.example`;
const keyOf = (email: string) => email.replaceAll('.', ',');
const toast = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });
const GIVEN = 'nine green weighbridges';
const picture = () =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: '#0b4da2' } })
    .jpeg()
    .toBuffer();
const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

// As Playwright's pages are made with the registry's address.
async function otherBrowser(page: Page, registry: StartedRegistry): Promise<Page> {
  const context = await page.context().browser()?.newContext({ baseURL: registry.url });
  if (context === undefined) throw new Error('no browser');
  return context.newPage();
}

test('an admin is added with a picture, appears in another browser at once, gets a mail, and signs in', async ({
  page,
  registry,
}) => {
  const email = newEmail();
  const watching = await otherBrowser(page, registry);
  await signInAs(watching, await newPerson(registry, 'admin'));
  await watching.goto(`/admins?q=${email}`);
  await hydrated(watching);
  await expect(watching.getByText(`No admin matches “${email}”`)).toBeVisible();

  await signInAs(page, await newPerson(registry, 'admin'));
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Admins' }).click();
  await page.getByRole('link', { name: 'Add New' }).click();
  await hydrated(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add new Admin');
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'text');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'off');
  const password = page.getByLabel('Password', { exact: true });
  await page.getByLabel('Email').fill(` ${email.toUpperCase()} `);
  await password.fill(GIVEN);
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Show password' }).click();
  await page.getByLabel('Name').fill('Ana Silva');
  await page.getByLabel('Phone').fill('0491 570 156');
  await page.getByLabel('Address').fill('1 Yard Street, Newcastle');
  await page.getByLabel('Role').fill('Inspector');
  await page.getByLabel('Date of birth').fill('1984-03-19');
  await page.getByLabel('Notes').fill('Works on Mondays.');
  await page
    .getByLabel('Image', { exact: true })
    .setInputFiles({ name: 'ana.jpg', mimeType: 'image/jpeg', buffer: await picture() });
  await expect(page.getByText('Done')).toBeVisible();
  const begun = Date.now();
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await expect(rowOf(watching, email)).toBeVisible();
  expect(Date.now() - begun).toBeLessThan(3000);
  await expect(toast(page, 'Admin Added successfully.')).toBeVisible();
  await page.waitForURL('**/admins');
  await watching.context().close();

  await page.getByRole('searchbox', { name: 'Search Admin...' }).fill(keyOf(email));
  await expect(page.getByText('1 admin', { exact: true })).toBeVisible();
  const cells = rowOf(page, email).getByRole('cell');
  await expect(rowOf(page, email).getByRole('rowheader')).toHaveText('Ana Silva');
  await expect(cells).toHaveText([email, 'Inspector', '0491 570 156', '1 Yard Street, Newcastle', '']);
  expect(await page.content()).not.toContain('1984');
  await rowOf(page, email)
    .getByRole('link', { name: `View ${email}` })
    .click();
  await expect(page).toHaveURL(new RegExp(`/admins/view/${keyOf(email)}$`));
  for (const text of ['19 March 1984', 'Works on Mondays.', 'Inspector', '1 Yard Street, Newcastle', 'Mia Kowalski'])
    await expect(page.getByRole('definition').filter({ hasText: text })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Last Transactions' })).toBeVisible();
  expect(
    await page.locator('main img').evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
  ).toBe(300);

  const signInPage = `${registry.url.replace('127.0.0.1', 'localhost')}/login`;
  const letter = await mailTo(registry.dataDir, email, signInPage);
  expect(letter).toContain('Mia Kowalski added you as an admin');
  expect(letter).not.toContain(GIVEN);

  const theirs = await otherBrowser(page, registry);
  await theirs.goto('/login');
  await fillSignIn(theirs, email, GIVEN);
  await theirs.waitForURL('**/new-password**');
  await theirs.goto('/admins');
  await expect(theirs).toHaveURL(/\/new-password/);
  await hydrated(theirs);
  await theirs.getByLabel('New password', { exact: true }).fill('my own green yard');
  await theirs.getByLabel('New password again', { exact: true }).fill('my own green yard');
  await theirs.getByLabel('Current password', { exact: true }).fill(GIVEN);
  await theirs.getByRole('button', { name: 'Change password' }).click();
  await theirs.waitForURL('**/admins');
  await theirs.context().close();
});

test('wrong input is told at the field; an address in use in the specification’s words; nothing typed is lost', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 4/);
  const tech = await newPerson(registry, 'technician');
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/admins/new');
  await hydrated(page);
  const password = page.getByLabel('Password', { exact: true });
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await expect(page.getByText('Enter an email address.')).toBeVisible();
  await expect(page.getByText('Enter a password.')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill(tech.email);
  await password.fill('qwertyuiop');
  await page.getByLabel('Name').fill('Typed once');
  await page.getByLabel('Notes').fill('Two\nlines');
  await page
    .getByLabel('Image', { exact: true })
    .setInputFiles({ name: 'me.svg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await expect(page.getByText('An image is a JPEG, PNG or WebP file.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove me.svg' }).click();
  await page
    .getByLabel('Image', { exact: true })
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await picture() });
  await expect(page.getByText('Done')).toBeVisible();
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await expect(page.getByText('This is one of the most common passwords. Choose another.')).toBeVisible();
  await expect(password).toHaveValue('qwertyuiop');
  await password.fill(GIVEN);
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Error adding Admin: email-already-in-use. An account with this address exists.',
  );
  await expect(page.getByLabel('Email')).toHaveValue(tech.email);
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(password).toHaveValue(GIVEN);
  await expect(page.getByLabel('Name')).toHaveValue('Typed once');
  await expect(page.getByLabel('Notes')).toHaveValue('Two\nlines');

  // The network breaks: what was typed stays too.
  const email = newEmail();
  await page.getByLabel('Email').fill(email);
  await page.route('**/admins/new.data**', (route) => route.abort());
  quiet.allow(/ERR_FAILED/);
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await expect(page.getByRole('alert')).toContainText('Error adding Admin: registry-unavailable.');
  await expect(password).toHaveValue(GIVEN);
  await expect(page.getByText('me.jpg')).toBeVisible();
  await page.unroute('**/admins/new.data**');
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await page.waitForURL('**/admins');
  await page.goto(`/admins/view/${keyOf(email)}`);
  await expect(page.locator('main img')).toBeVisible();
});

test('an admin is updated; who looks sees it at once; a stale form shows both versions', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/409/);
  const other = await newPerson(registry, 'admin');
  const watching = await otherBrowser(page, registry);
  await signInAs(watching, await newPerson(registry, 'admin'));
  await watching.goto(`/admins/view/${keyOf(other.email)}`);
  await hydrated(watching);

  const updater = await newPerson(registry, 'admin', { name: 'Daniel Okafor' });
  await signInAs(page, updater);
  await page.goto(`/admins/view/${keyOf(other.email)}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await hydrated(page);
  await expect(page.getByLabel('Email')).toHaveAttribute('readonly');
  await expect(page.getByRole('link', { name: 'Go Back' })).toBeVisible();
  await page.getByLabel('Role').fill('Registrar');
  await page.getByLabel('Gender').fill('Female');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(toast(page, 'Admin updated successfully.')).toBeVisible();
  await expect(watching.getByRole('definition').filter({ hasText: 'Registrar' })).toBeVisible();
  await expect(watching.getByRole('definition').filter({ hasText: 'Daniel Okafor' })).toBeVisible();
  await page.waitForURL(`**/admins/view/${keyOf(other.email)}`);
  const entry = await registry.db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'action', 'details', 'changes'])
    .where('subjectId', '=', other.recordId)
    .execute();
  expect(entry).toEqual([
    {
      kind: 'admin.updated',
      action: 'Admin updated',
      details: `${other.email} updated`,
      changes: [
        { field: 'role', from: '', to: 'Registrar' },
        { field: 'gender', from: '', to: 'Female' },
      ],
    },
  ]);
  await page.goto(`/admins/view/${keyOf(updater.email)}`);
  await expect(page.getByText('Admin updated')).toBeVisible();
  await expect(page.getByText(`${other.email} updated`)).toBeVisible();

  await page.goto(`/profile/update/${keyOf(other.email)}`);
  await expect(page).toHaveURL(new RegExp(`/admins/update/${keyOf(other.email)}$`));
  await hydrated(page);
  await page.getByLabel('Phone').fill('0491 570 158');
  await watching.goto(`/admins/update/${keyOf(other.email)}`);
  await hydrated(watching);
  await watching.getByLabel('Phone').fill('0491 570 999');
  await watching.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Changed meanwhile by Mia Kowalski.')).toBeVisible();
  await expect(page.getByLabel('Phone')).toHaveValue('0491 570 158');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByRole('alert')).toContainText('Error: changed-meanwhile.');
  await expect(page.getByRole('alert')).toContainText('Phone is now “0491 570 999”.');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.waitForURL(`**/admins/view/${keyOf(other.email)}`);
  await expect(page.getByRole('definition').filter({ hasText: '0491 570 158' })).toBeVisible();
  await watching.context().close();
});

test('removed by the keyboard: an open page of theirs is led to the sign-in, their page says since when', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 4(09|10)/);
  const other = await newPerson(registry, 'admin', { name: 'Ruth Tran' });
  const theirs = await otherBrowser(page, registry);
  await signInAs(theirs, other);
  await theirs.goto('/admins');
  await hydrated(theirs);
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Admins');

  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/admins?q=${other.email}`);
  await hydrated(page);
  await page.getByRole('link', { name: `Delete ${other.email}` }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete record' });
  await expect(dialog.getByText('Are you sure that you wanted to delete this record.')).toBeVisible();
  await expect(dialog.getByText('Ruth Tran')).toBeVisible();
  await expect(dialog.getByText(other.email)).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Record Deleted successfully.')).toBeVisible();
  await page.waitForURL('**/admins');
  await theirs.waitForURL('**/login?**', { timeout: 10_000 });
  await fillSignIn(theirs, other.email);
  await expect(theirs.getByText('Email and password does not match.')).toBeVisible();
  await theirs.context().close();

  const gone = await page.goto(`/admins/view/${keyOf(other.email)}`);
  expect(gone?.status()).toBe(410);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    new RegExp(`The admin ${other.email} was removed on \\d+ \\w+ \\d{4}`),
  );
  expect(await registry.db.selectFrom('session').select('id').where('userId', '=', other.personId).execute()).toEqual(
    [],
  );

  // The same address may be added again.
  await page.goto('/admins/new');
  await hydrated(page);
  await page.getByLabel('Email').fill(other.email);
  await page.getByLabel('Password', { exact: true }).fill(GIVEN);
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await page.waitForURL('**/admins');
  expect((await page.goto(`/admins/view/${keyOf(other.email)}`))?.status()).toBe(200);
});

test('nobody deletes themselves, and what is gone cannot be deleted again', async ({ page, registry, quiet }) => {
  quiet.allow(/409/);
  const me = await newPerson(registry, 'admin');
  const other = await newPerson(registry, 'admin');
  await signInAs(page, me);
  await page.goto(`/admins/delete/${keyOf(me.email)}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert')).toHaveText('Error deleting item: self. Nobody deletes themselves.');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(`/admins/view/${keyOf(me.email)}$`));
  await page.goto(`/admins/delete/${keyOf(other.email)}`);
  await hydrated(page);
  await registry.db.updateTable('admin').set({ deletedAt: new Date() }).where('id', '=', other.recordId).execute();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Error deleting item: removed-already. Somebody else removed this admin.',
  );
});

test('the last admin who can sign in stays, though others stand in the list', async () => {
  test.setTimeout(120_000);
  const registry = await startRegistry();
  try {
    const only = await newPerson(registry, 'admin');
    const losing = await newPerson(registry, 'admin');
    const { cookie } = await sessionOf(registry, losing);
    // Signed in still, but with nothing to sign in with again.
    await registry.db.deleteFrom('account').where('userId', '=', losing.personId).execute();
    const answer = await fetch(`${registry.url}/admins/delete/${keyOf(only.email)}`, {
      method: 'POST',
      headers: { cookie, origin: registry.url },
      redirect: 'manual',
    });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain(
      'Error deleting item: last-admin. Nobody else can sign in as an admin. Add another one first.',
    );
  } finally {
    await registry.stop();
  }
});

test('addresses: an unknown one, another spelling, no address at all; a technician may not', async ({ registry }) => {
  const admin = await newPerson(registry, 'admin');
  const { cookie } = await sessionOf(registry, admin);
  const ask = async (address: string, as = cookie) => {
    const answer = await fetch(`${registry.url}${address}`, { headers: { cookie: as }, redirect: 'manual' });
    return [answer.status, answer.headers.get('location')];
  };
  const key = keyOf(admin.email);
  for (const page of ['view', 'update', 'delete'] as const) {
    expect(await ask(`/admins/${page}/${key}`)).toEqual([200, null]);
    for (const other of [admin.email, key.toUpperCase(), encodeURIComponent(admin.email)])
      expect(await ask(`/admins/${page}/${other}`)).toEqual([301, `/admins/${page}/${key}`]);
    expect(await ask(`/admins/${page}/nobody`)).toEqual([404, null]);
  }
  expect(await ask('/admins/view/nobody@registry,example')).toEqual([404, null]);
  expect(await ask('/admins/view/nobody%00@registry,example')).toEqual([404, null]);
  // An address of the former database that no form would take.
  const odd = await newPerson(registry, 'admin');
  const address = `odd#one/two%41?.${process.pid}@registry.example`;
  await registry.db.updateTable('admin').set({ email: address }).where('id', '=', odd.recordId).execute();
  expect(await ask(`/admins/view/${emailSegment(address)}`)).toEqual([200, null]);
  expect(await ask('/admins/update/nobody@registry,example')).toEqual([302, '/admins/view/nobody@registry,example']);
  const tech = (await sessionOf(registry, await newPerson(registry, 'technician'))).cookie;
  for (const page of ['', '/new', `/view/${key}`, `/update/${key}`, `/delete/${key}`])
    expect(await ask(`/admins${page}`, tech)).toEqual([403, null]);
});

test('five on a page; Previous and Next end at the ends; columns leave as the screen gets narrow', async ({
  page,
  registry,
}) => {
  const name = `Paged${process.pid}`;
  const people = [];
  for (let index = 0; index < 11; index += 1) people.push(await newPerson(registry, 'admin', { name }));
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/admins?q=${name}`);
  await hydrated(page);
  const pager = page.getByRole('navigation', { name: 'Pages of admins' });
  await expect(page.getByText('11 admins')).toBeVisible();
  await expect(pager).toContainText('Page 1 of 3');
  await expect(page.getByRole('rowheader')).toHaveCount(5);
  await expect(pager.getByText('Previous')).toHaveAttribute('aria-disabled', 'true');
  await pager.getByRole('link', { name: 'Next' }).click();
  await expect(pager).toContainText('Page 2 of 3');
  await pager.getByRole('link', { name: 'Next' }).click();
  await expect(pager).toContainText('Page 3 of 3');
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await expect(pager.getByText('Next')).toHaveAttribute('aria-disabled', 'true');
  // The last row of the last page leaves: one page back, live. They stand in the order of their addresses.
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const last = (await page.getByRole('row').last().getByRole('cell').first().textContent()) ?? '';
  expect(people.map(({ email }) => email)).toContain(last);
  const removed = await fetch(`${registry.url}/admins/delete/${keyOf(last)}`, {
    method: 'POST',
    headers: { cookie, origin: registry.url },
    redirect: 'manual',
  });
  expect([removed.status, removed.headers.get('location')]).toEqual([303, '/admins']);
  await expect(pager).toContainText('Page 2 of 2');
  await expect(page.getByRole('rowheader')).toHaveCount(5);
  const headings = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    return page.getByRole('columnheader').allTextContents();
  };
  expect(await headings(825)).toEqual(['Name', 'Email', 'Role', 'Phone', 'Address', 'Actions']);
  expect(await headings(824)).toEqual(['Name', 'Role', 'Phone', 'Actions']);
  expect(await headings(560)).toEqual(['Name', 'Role', 'Phone', 'Actions']);
  expect(await headings(559)).toEqual(['Name', 'Actions']);
  expect(await headings(320)).toEqual(['Name', 'Actions']);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the same forms work as plain posts; the password must be typed again', async ({ page, registry, quiet }) => {
    quiet.allow(/status of 4/);
    const email = newEmail();
    const tech = await newPerson(registry, 'technician');
    await signInAs(page, await newPerson(registry, 'admin'));
    await page.goto('/admins/new');
    await page.getByLabel('Email').fill(tech.email);
    await page.getByLabel('Password', { exact: true }).fill(GIVEN);
    await page.getByLabel('Role').fill('Inspector');
    await page
      .getByLabel('Image', { exact: true })
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await picture() });
    await page.getByRole('button', { name: 'Add Admin' }).click();
    await expect(
      page.getByText('Error adding Admin: email-already-in-use. An account with this address exists.'),
    ).toBeVisible();
    await expect(page.getByText('Type the password again: it is never sent back.')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
    expect(await page.content()).not.toContain(GIVEN);
    await expect(page.getByLabel('Role')).toHaveValue('Inspector');
    await expect(page.getByText('me.jpg')).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Add Admin' }).click();
    await expect(page).toHaveURL(/\/admins$/);
    await expect(page.getByText('Admin Added successfully.')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search Admin...' }).fill(email);
    await page.getByRole('searchbox', { name: 'Search Admin...' }).press('Enter');
    await page.getByRole('link', { name: `Edit ${email}` }).click();
    await page.getByLabel('Name').fill('Ana Silva');
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page.getByText('Admin updated successfully.')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/admins/view/${keyOf(email)}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Silva');
    await expect(page.locator('main img')).toBeVisible();
    await page.getByRole('link', { name: `Delete ${email}` }).click();
    await expect(page.getByText('Are you sure that you wanted to delete this record.')).toBeVisible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(/\/admins$/);
    await expect(page.getByText('Record Deleted successfully.')).toBeVisible();
  });
});
