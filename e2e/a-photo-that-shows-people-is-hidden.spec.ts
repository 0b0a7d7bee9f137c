import { newVisitWithPhoto } from '#test/photos.ts';
import { tooWide } from './fits.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { truck } from './visits.ts';

test('an admin hides a photo, and everybody sees that it is hidden', async ({ browser, registry, page: anyone }) => {
  const rego = await truck(registry);
  await newVisitWithPhoto(registry, await newPerson(registry, 'technician'), rego);
  await anyone.goto(`/vehicles/view/${rego}`);
  await hydrated(anyone);
  const photo = (await anyone.getByRole('link', { name: 'photo', exact: true }).getAttribute('href')) ?? '';
  expect((await anyone.request.get(photo)).status()).toBe(200);

  const context = await browser.newContext({ baseURL: registry.url });
  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/vehicles/view/${rego}`);
  await page.getByRole('link', { name: 'photo', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Visit of');
  await hydrated(page);
  await page.getByRole('link', { name: 'Hide this photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hide photo' });
  await expect(dialog.getByAltText('As the technician took it')).toBeVisible();
  expect(await tooWide(page)).toEqual([]);
  await dialog.getByRole('link', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('link', { name: 'Hide this photo' }).click();
  await dialog.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByText('The photo is hidden.').first()).toBeVisible();
  await expect(page.getByText(/^Hidden on .* Its hash stays, so a copy is still found\.$/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Hide this photo' })).toHaveCount(0);
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByText('photo hidden')).toBeVisible();
  await context.close();

  // The open page follows by itself, and no address of the photo answers.
  await expect(anyone.getByText('photo hidden')).toBeVisible();
  await expect(anyone.getByRole('link', { name: 'photo', exact: true })).toHaveCount(0);
  for (const address of [photo, `${photo}/thumbnail`]) expect((await anyone.request.get(address)).status()).toBe(410);
});
