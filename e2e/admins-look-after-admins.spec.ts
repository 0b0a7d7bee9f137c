import { emailKey, emailSegment } from '#app/people/email-key.ts';
import { GIVEN, newEmail, otherBrowser, picture } from './admins.ts';
import { newPerson, PASSWORD, sessionOf, signInAs } from './people.ts';
import { expect, hydrated, test, toast } from './registry.ts';

test('an admin is updated; who looks sees it at once; a stale form shows both versions', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/409/);
  const other = await newPerson(registry, 'admin');
  const watching = await otherBrowser(page, registry);
  await signInAs(watching, await newPerson(registry, 'admin'));
  await watching.goto(`/admins/view/${emailKey(other.email)}`);
  await hydrated(watching);

  const updater = await newPerson(registry, 'admin', { name: 'Daniel Okafor' });
  await signInAs(page, updater);
  await page.goto(`/admins/view/${emailKey(other.email)}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await hydrated(page);
  await expect(page.getByLabel('Email')).toHaveAttribute('readonly');
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
  await expect(page.getByRole('link', { name: 'Go Back' })).toBeVisible();
  await page.getByLabel('Role').fill('Registrar');
  await page.getByLabel('Gender').fill('Female');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(toast(page, 'Admin updated successfully.')).toBeVisible();
  await expect(watching.getByRole('definition').filter({ hasText: 'Registrar' })).toBeVisible();
  await expect(watching.getByRole('definition').filter({ hasText: 'Daniel Okafor' })).toBeVisible();
  await page.waitForURL(`**/admins/view/${emailKey(other.email)}`);
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
  await page.goto(`/admins/view/${emailKey(updater.email)}`);
  await expect(page.getByText('Admin updated')).toBeVisible();
  await expect(page.getByText(`${other.email} updated`)).toBeVisible();

  await page.goto(`/profile/update/${emailKey(other.email)}`);
  await expect(page).toHaveURL(new RegExp(`/admins/update/${emailKey(other.email)}$`));
  await hydrated(page);
  await page.getByLabel('Phone').fill('0491 570 158');
  await watching.goto(`/admins/update/${emailKey(other.email)}`);
  await hydrated(watching);
  await watching.getByLabel('Phone').fill('0491 570 999');
  await watching.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Mia Kowalski changed this in the meantime.')).toBeVisible();
  await expect(page.getByLabel('Phone')).toHaveValue('0491 570 158');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByRole('alert')).toContainText('Error: changed-meanwhile.');
  await expect(page.getByText('Someone else changed this to: 0491 570 999')).toBeVisible();
  await expect(page.getByText('Someone else changed this to:')).toHaveCount(1);
  await page.getByRole('button', { name: 'Update' }).click();
  await page.waitForURL(`**/admins/view/${emailKey(other.email)}`);
  await expect(page.getByRole('definition').filter({ hasText: '0491 570 158' })).toBeVisible();
  await watching.context().close();
});

test('addresses: an unknown one, another spelling, no address at all; a technician may not', async ({ registry }) => {
  const admin = await newPerson(registry, 'admin');
  const { cookie } = await sessionOf(registry, admin);
  const ask = async (address: string, as = cookie) => {
    const answer = await fetch(`${registry.url}${address}`, { headers: { cookie: as }, redirect: 'manual' });
    return [answer.status, answer.headers.get('location')];
  };
  const key = emailKey(admin.email);
  for (const page of ['view', 'update', 'delete'] as const) {
    expect(await ask(`/admins/${page}/${key}`)).toEqual([200, null]);
    for (const other of [admin.email, key.toUpperCase(), encodeURIComponent(admin.email)])
      expect(await ask(`/admins/${page}/${other}`)).toEqual([301, `/admins/${page}/${key}`]);
    expect(await ask(`/admins/${page}/nobody`)).toEqual([404, null]);
  }
  expect(await ask('/admins/view/nobody@registry,example')).toEqual([404, null]);
  expect(await ask('/admins/view/nobody%00@registry,example')).toEqual([400, null]);
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
  // When the last row of the last page goes, the open page shows the page before. Rows are sorted by address.
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const last = (await page.getByRole('row').last().getByRole('cell').first().textContent()) ?? '';
  expect(people.map(({ email }) => email)).toContain(last);
  const removed = await fetch(`${registry.url}/admins/delete/${emailKey(last)}`, {
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
    await expect(page.getByText('Type the password again: it is never sent back.').last()).toBeVisible();
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
    await expect(page).toHaveURL(new RegExp(`/admins/view/${emailKey(email)}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Silva');
    await expect(page.locator('main img')).toBeVisible();
    await page.getByRole('link', { name: `Delete ${email}` }).click();
    await expect(page.getByText('Are you sure that you wanted to delete this record.')).toBeVisible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(/\/admins$/);
    await expect(page.getByText('Record Deleted successfully.')).toBeVisible();
  });
});

test('who is unknown is named, and a page that is not for one is no error', async ({ page, registry, quiet }) => {
  quiet.allow(/40[34]/);
  await signInAs(page, await newPerson(registry, 'admin'));
  for (const [path, heading, list] of [
    ['/technicians/view/nobody@site,example', 'No technician has the address nobody@site.example', 'All technicians'],
    ['/technicians/delete/nobody@site,example', 'No technician has the address nobody@site.example', 'All technicians'],
    ['/technicians/view/nobody', 'No technician has the address nobody', 'All technicians'],
    ['/applications/view/nobody@site,example', 'There is no application from nobody@site.example', 'All applications'],
    ['/applications/delete/nobody', 'There is no application from nobody', 'All applications'],
    ['/admins/view/nobody', 'No admin has the address nobody', 'All admins'],
    ['/admins/erase/nobody@site,example', 'No admin has the address nobody@site.example', 'All admins'],
  ] as const) {
    expect((await page.goto(path))?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByRole('link', { name: list })).toBeVisible();
  }
  await page.context().clearCookies();
  await signInAs(page, await newPerson(registry, 'technician'));
  expect((await page.goto('/admins'))?.status()).toBe(403);
  await expect(page).toHaveTitle(/^You cannot open this page ·/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You cannot open this page');
  await expect(page.getByText('This page is for admins. You are signed in as a technician.')).toBeVisible();
  await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Dashboard' }).click();
  await page.waitForURL('**/dashboard');
});
