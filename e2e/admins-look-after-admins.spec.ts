import { emailKey, emailSegment } from '#app/people/email-key.ts';
import { newPerson, sessionOf, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';

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
