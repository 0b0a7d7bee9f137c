import { emailKey, emailSegment } from '#app/people/email-key.ts';
import { newPerson, sessionOf, signInAs } from './people.ts';
import { expect, test } from './registry.ts';

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
