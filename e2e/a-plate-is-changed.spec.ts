import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test, toast } from './registry.ts';
import { newRego, newVehicle } from './vehicles.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('a technician changes a plate on a phone, and the old one leads to the truck', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  const [rego, plate] = [await newVehicle(registry), newRego()];
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/view/${rego}`);
  await hydrated(page);
  await page.getByLabel('More actions').click();
  await page.getByRole('link', { name: 'Change plate' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change plate');
  await hydrated(page);
  // Nothing is chosen beforehand but what is known.
  await page.getByRole('button', { name: 'Change plate' }).click();
  await expect(page.getByText('A rego is required').first()).toBeVisible();
  await expect(page.getByText('Say why the plate changes.').first()).toBeVisible();
  await page.getByLabel('New rego').fill(plate.toLowerCase());
  await page.getByRole('radio', { name: 'QLD' }).check({ force: true });
  await page.getByRole('radio', { name: 'Another state' }).check();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole('button', { name: 'Change plate' }).click();
  await expect(toast(page, 'Plate changed.')).toBeVisible();
  await page.waitForURL(`**/vehicles/view/${plate}`);
  await expect(page.getByRole('heading', { name: 'Plates' })).toBeVisible();
  await expect(page.getByText('QLD since ')).toBeVisible();

  await page.goto(`/vehicles/view/${rego}`);
  await expect(page).toHaveURL(`/vehicles/view/${plate}?was=${rego}`);
  await expect(page.getByText(`${rego} was this truck’s plate until`)).toBeVisible();
  await page.goto(`/search?q=${rego}`);
  await expect(page.getByText(`${rego} · this truck’s plate until`)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('without scripts too; and a plate that another truck had waits for an admin', async ({ browser, registry }) => {
  const [first, plate, second] = [await newVehicle(registry), newRego(), await newVehicle(registry)];
  const contextOf = async (role: 'technician' | 'admin') => {
    const context = await browser.newContext({
      baseURL: registry.url,
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    await signInAs(page, await newPerson(registry, role));
    return page;
  };
  const page = await contextOf('technician');
  const change = async (rego: string, to: string) => {
    await page.goto(`/vehicles/plate/${rego}`);
    await page.getByLabel('New rego').fill(to);
    await page.getByRole('radio', { name: 'Sold' }).check();
    await page.getByRole('button', { name: 'Change plate' }).click();
  };
  await change(first, second);
  await expect(page.getByText(`${second} is on another truck today.`).first()).toBeVisible();
  await expect(page.getByLabel('New rego')).toHaveValue(second);
  await change(first, plate);
  await expect(page).toHaveURL(`/vehicles/view/${plate}`);
  await expect(page.getByText('Plate changed.')).toBeVisible();
  await change(second, first);
  await expect(page).toHaveURL(`/vehicles/view/${second}`);
  await expect(page.getByText('an administrator confirms the change')).toBeVisible();

  const office = await contextOf('admin');
  await office.goto('/dashboard');
  await office.getByRole('link', { name: /plates? to confirm/ }).click();
  await expect(office.getByText(`${plate}`).first()).toBeVisible();
  await office.getByRole('button', { name: 'Confirm the change' }).click();
  await expect(office).toHaveURL(`/vehicles/view/${first}`);
  await expect(office.getByText(`another truck carried ${first}:`)).toBeVisible();
  await office.context().close();
  await page.context().close();
});
