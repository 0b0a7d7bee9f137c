import sharp from 'sharp';
import { expect, hydrated, test } from './registry.ts';
import { newPerson, signInAs } from './people.ts';

const picture = () =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: '#0b4da2' } })
    .jpeg()
    .toBuffer();

for (const role of ['admin', 'technician'] as const)
  test(`a ${role} updates their profile, with a picture, and finds it among the last activities`, async ({
    page,
    registry,
  }) => {
    const person = await newPerson(registry, role);
    await signInAs(page, person);
    await page.goto('/my-profile');
    await expect(page.getByRole('heading', { name: 'Last Activities' })).toBeVisible();
    await page.getByRole('link', { name: 'Edit' }).click();
    await hydrated(page);
    await expect(page.getByLabel('Email')).toHaveAttribute('readonly');
    await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
    await expect(page.getByLabel('Added at')).toHaveAttribute('readonly');
    await page.getByLabel('Name').fill('Alexandra Novak');
    await page.getByLabel('Phone').fill('0491 570 157');
    await page.getByLabel('Date of birth').fill('1984-03-19');
    await page
      .getByLabel('Image', { exact: true })
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await picture() });
    await expect(page.getByText('Done')).toBeVisible();
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page.locator('.toast').filter({ hasText: 'Profile updated successfully.' })).toBeVisible();
    await page.waitForURL('**/my-profile');
    await expect(page.getByRole('definition').filter({ hasText: '0491 570 157' })).toBeVisible();
    await expect(page.getByRole('definition').filter({ hasText: '19 March 1984' })).toBeVisible();
    await expect(page.getByText(`${person.email} updated`)).toBeVisible();
    await expect(page.locator('main img')).toHaveJSProperty('complete', true);
    expect(
      await page.locator('main img').evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
    ).toBe(300);
  });
