import sharp from 'sharp';
import { expect, hydrated, test } from './registry.ts';
import { newPerson, sessionOf, signInAs } from './people.ts';

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

test('wrong input is told at the field, and nothing typed is lost', async ({ page, registry, quiet }) => {
  quiet.allow(/40[09]|422/);
  const person = await newPerson(registry, 'admin');
  await signInAs(page, person);
  await page.goto('/profile/update');
  await hydrated(page);
  await page.getByLabel('Phone').fill('0491 570 158');
  await page.getByLabel('Name').fill('   ');
  await page
    .getByLabel('Image', { exact: true })
    .setInputFiles({ name: 'me.svg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await expect(page.getByText('An image is a JPEG, PNG or WebP file.').last()).toBeVisible();
  await page.getByRole('button', { name: 'Remove me.svg' }).click();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Enter a name.').last()).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Phone')).toHaveValue('0491 570 158');

  // Meanwhile somebody else saves.
  await registry.db
    .updateTable('admin')
    .set({ phone: '0491 570 999', version: 9 })
    .where('id', '=', person.recordId)
    .execute();
  await page.getByLabel('Name').fill('Mia K.');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByRole('alert')).toContainText('Error: changed-meanwhile.');
  // Both changed the phone, and only this one the name.
  await expect(page.getByText('Someone else changed this to: 0491 570 999')).toBeVisible();
  await expect(page.getByText('Someone else changed this')).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('0491 570 158');
  await page.getByRole('checkbox', { name: 'Keep theirs: Phone' }).check();
  await page.getByRole('button', { name: 'Update' }).click();
  await page.waitForURL('**/my-profile');
  await expect(page.getByText('0491 570 999')).toBeVisible();
  await expect(page.getByRole('main').getByText('Mia K.').first()).toBeVisible();
});

test('an admin updates another admin’s profile by its key; a technician may not', async ({ page, registry, quiet }) => {
  quiet.allow(/404/);
  const other = await newPerson(registry, 'admin');
  const key = other.email.replaceAll('.', ',');
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/profile/update/${key}`);
  await expect(page.getByLabel('Email')).toHaveValue(other.email);
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'technician'));
  const refused = await fetch(`${registry.url}/profile/update/${key}`, { headers: { cookie } });
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('This page is for admins. You are signed in as a technician.');
  const unknown = await page.goto('/profile/update/nobody@nowhere,example').catch(() => null);
  expect(unknown?.status()).toBe(404);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the same form works as a plain multipart post', async ({ page, registry }) => {
    const person = await newPerson(registry, 'technician');
    await signInAs(page, person);
    await page.goto('/profile/update');
    await page.getByLabel('Name').fill('Jo Nguyen-Tran');
    await page
      .getByLabel('Image', { exact: true })
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await picture() });
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page).toHaveURL(/\/my-profile$/);
    await expect(page.getByText('Profile updated successfully.')).toBeVisible();
    await expect(page.locator('main').getByText('Jo Nguyen-Tran')).toBeVisible();
    await expect(page.locator('main img')).toBeVisible();
  });
});
