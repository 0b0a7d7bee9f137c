import { emailKey } from '#app/people/email-key.ts';
import { GIVEN, otherBrowser } from './admins.ts';
import { fillSignIn, newPerson, sessionOf, signInAs } from './people.ts';
import { expect, hydrated, test, toast } from './registry.ts';

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
  await expect(page).toHaveURL(`/admins?q=${other.email}`);
  await theirs.waitForURL('**/login?**', { timeout: 10_000 });
  await fillSignIn(theirs, other.email);
  await expect(theirs.getByText('Email and password does not match.')).toBeVisible();
  await theirs.context().close();

  const gone = await page.goto(`/admins/view/${emailKey(other.email)}`);
  expect(gone?.status()).toBe(410);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    new RegExp(`The admin ${other.email} was removed on \\d+ \\w+ \\d{4}`),
  );
  expect(await registry.db.selectFrom('session').select('id').where('userId', '=', other.personId).execute()).toEqual(
    [],
  );

  // It stands when a second admin confirms it, on a page that needs no scripts. Then the address may be added again.
  const { cookie: second } = await sessionOf(registry, await newPerson(registry, 'admin'));
  await page.goto('/admins');
  await expect(
    page.getByText(/^Removed by .* It stands when a second administrator confirms it/).first(),
  ).toBeVisible();
  const { id } = await registry.db
    .selectFrom('adminRemoval')
    .select('id')
    .where('adminId', '=', other.recordId)
    .executeTakeFirstOrThrow();
  const confirmed = await fetch(`${registry.url}/admins/removals`, {
    method: 'POST',
    headers: { cookie: second, origin: registry.url },
    body: new URLSearchParams({ id, decision: 'confirm' }),
    redirect: 'manual',
  });
  expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, '/admins']);
  await page.goto('/admins/new');
  await hydrated(page);
  await page.getByLabel('Email').fill(other.email);
  await page.getByLabel('Password', { exact: true }).fill(GIVEN);
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await page.waitForURL('**/admins');
  expect((await page.goto(`/admins/view/${emailKey(other.email)}`))?.status()).toBe(200);
});
