import { weighedBy } from './check-visits.ts';
import { tooWide } from './fits.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { recordSet } from './visits.ts';

test('an admin asks, somebody else weighs the truck again, and the result stands beside the verdict', async ({
  browser,
  registry,
  page: anyone,
}) => {
  const [jo, pat] = [await newPerson(registry, 'technician'), await newPerson(registry, 'technician')];
  const { rego, visit } = await weighedBy(registry, jo, 3);
  await anyone.goto(`/vehicles/view/${rego}`);
  await hydrated(anyone);
  const verdict = (await anyone.getByRole('heading', { level: 1 }).textContent()) ?? '';
  const open = async (width: number) => {
    const context = await browser.newContext({ baseURL: registry.url });
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 844 });
    return page;
  };

  const admin = await open(1280);
  await signInAs(admin, await newPerson(registry, 'admin'));
  await admin.goto(`/visits/${visit}`);
  await admin.getByRole('link', { name: 'Ask for a check visit' }).click();
  await expect(admin.getByRole('heading', { level: 1, name: 'Ask for a check visit' })).toBeVisible();
  await admin.getByRole('button', { name: 'Ask for it' }).click();
  await expect(admin.getByText('Enter a reason.').first()).toBeVisible();
  await admin.getByLabel('Reason').fill('Five trucks in an hour.');
  expect(await tooWide(admin)).toEqual([]);
  await admin.getByRole('button', { name: 'Ask for it' }).click();
  await expect(admin.getByText('The check visit is on the technicians’ list.').first()).toBeVisible();
  await expect(admin.getByText('Five trucks in an hour.')).toBeVisible();
  await expect(admin.getByRole('link', { name: 'Withdraw it' })).toBeVisible();

  // The open page follows by itself, and nothing else of it changes.
  await expect(anyone.getByText('A check visit is wanted:')).toBeVisible();
  await expect(anyone.getByText('It says nothing about anybody.')).toBeVisible();
  await expect(anyone.getByText('Five trucks')).toHaveCount(0);
  expect(await anyone.getByRole('heading', { level: 1 }).textContent()).toBe(verdict);

  const own = await open(390);
  await signInAs(own, jo);
  await own.goto('/check-visits');
  await expect(own.getByText('Trucks of your own visits are not among them.')).toBeVisible();
  await expect(own.getByRole('link', { name: rego })).toHaveCount(0);

  const other = await open(390);
  await signInAs(other, pat);
  await other.goto('/check-visits');
  await hydrated(other);
  await expect(other.getByRole('rowheader').filter({ hasText: rego })).toBeVisible();
  expect(await tooWide(other)).toEqual([]);
  await recordSet(registry, pat, rego, 0);
  await expect(anyone.getByText('A check visit was made:')).toBeVisible();
  await expect(anyone.getByText('The two agree within the tolerance.')).toBeVisible();
  await expect(other.getByRole('rowheader').filter({ hasText: rego })).toHaveCount(0);
  await admin.goto(`/visits/${visit}`);
  await admin.getByRole('link', { name: 'The visit that checked it' }).click();
  await expect(admin.getByRole('link', { name: 'Ask for a check visit' })).toBeVisible();
  for (const page of [admin, own, other]) await page.context().close();
});

test('an admin takes back what they asked for', async ({ page, registry }) => {
  const jo = await newPerson(registry, 'technician');
  const { rego, visit } = await weighedBy(registry, jo, 3);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/visits/${visit}/check`);
  await hydrated(page);
  await page.getByLabel('Reason').fill('To see.');
  await page.getByRole('button', { name: 'Ask for it' }).click();
  await page.getByRole('link', { name: 'Withdraw it' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('It is wanted no longer.')).toBeVisible();
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByText('A check visit is wanted:')).toHaveCount(0);
});
