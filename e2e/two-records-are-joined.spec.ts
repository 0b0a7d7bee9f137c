import { newPerson, signInAs } from './people.ts';
import { expect, test } from './registry.ts';
import { newVehicle } from './vehicles.ts';

const VIN = '6T9HZ8KW7RB209931';

test('two records of one truck are joined without scripts, the old address leads on, and it is undone', async ({
  browser,
  registry,
}) => {
  const [first, second] = [await newVehicle(registry), await newVehicle(registry)];
  const context = await browser.newContext({
    baseURL: registry.url,
    viewport: { width: 1280, height: 900 },
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await signInAs(page, await newPerson(registry, 'admin'));
  for (const rego of [first, second]) {
    await page.goto(`/vehicles/update/${rego}`);
    await page.getByLabel('VIN').fill(VIN);
    await page.getByRole('button', { name: 'Update vehicle' }).click();
    await expect(page).toHaveURL(`/vehicles/view/${rego}`);
  }
  await page.goto('/dashboard');
  await page.getByRole('link', { name: /VINs? on several vehicles/ }).click();
  await page.getByRole('link', { name: VIN }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two records with one VIN');
  await expect(page.getByRole('link', { name: `Correct the VIN of ${first}` })).toBeVisible();
  await page.getByRole('button', { name: 'Join the records' }).click();
  await expect(page.getByText('Choose which record keeps its address.').first()).toBeVisible();
  await page.getByRole('radio', { name: first }).check();
  await page.getByRole('button', { name: 'Join the records' }).click();
  await expect(page).toHaveURL(`/vehicles/view/${first}`);
  await expect(page.getByText('Joined. The history of both stands here.')).toBeVisible();
  await page.goto(`/vehicles/view/${second}`);
  await expect(page).toHaveURL(`/vehicles/view/${first}?was=${second}`);
  await expect(page.getByText(`${second} was another record of this truck until`)).toBeVisible();
  await page.goto(`/search?q=${second}`);
  await expect(page.getByText(`${second} · another record of this truck until`)).toBeVisible();

  await page.goto('/vehicles/vins');
  await page.getByRole('button', { name: `Undo the join of ${second} with ${first}` }).click();
  await expect(page.getByText('The join is undone.')).toBeVisible();
  await page.goto(`/vehicles/view/${second}`);
  await expect(page).toHaveURL(`/vehicles/view/${second}`);

  await page.goto(`/vehicles/vins/${VIN}`);
  await page.getByRole('button', { name: 'They are two trucks' }).click();
  await expect(page.getByText('They are two trucks. Nobody is asked again.')).toBeVisible();
  await expect(page.getByRole('link', { name: VIN })).toHaveCount(0);
  await context.close();
});
