import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test, toast } from './registry.ts';
import { newRego, newVehicle, PDF, picture } from './vehicles.ts';

test('a vehicle is added with a certificate and images, then changed, in both browsers at once', async ({
  page,
  browser,
  registry,
}) => {
  const rego = newRego();
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/new/${rego.toLowerCase()}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add new Vehicle');
  await expect(page.getByRole('textbox', { name: 'Rego' })).toHaveValue(rego);
  await page.goto(`/vehicles/new?id=${rego}`);
  await expect(page.getByRole('textbox', { name: 'Rego' })).toHaveValue(rego);
  await hydrated(page);
  await expect(page.getByLabel('Next calibration due')).toBeHidden();
  await page.getByLabel('VIN').fill('6t9hz8-fm2pa 100418');
  await page.getByLabel('Driver name').fill('PRIVATE DRIVER');
  await page
    .getByLabel('Certificate', { exact: true })
    .setInputFiles({ name: 'cert.pdf', mimeType: 'application/pdf', buffer: PDF });
  await page.getByLabel('Images', { exact: true }).setInputFiles([
    { name: 'left.jpg', mimeType: 'image/jpeg', buffer: await picture('#a01414') },
    { name: 'right.jpg', mimeType: 'image/jpeg', buffer: await picture('#0a5a35') },
  ]);
  await expect(page.getByText('Done')).toHaveCount(3);
  // The viewport is so low that no row is visible before scrolling.
  await page.setViewportSize({ width: 1280, height: 250 });
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await expect(toast(page, 'Vehicle Added successfully.')).toBeVisible();
  await page.waitForURL(/\/vehicles\?at=/);
  // The list opens where the new truck stands.
  const added = page.getByRole('row').filter({ has: page.getByRole('link', { name: `View ${rego}` }) });
  await expect(added).toBeInViewport();
  await expect(added).toHaveClass(/bg-accent-soft/);
  await page.setViewportSize({ width: 1280, height: 720 });

  const watching = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await watching.goto(`/vehicles/view/${rego}`);
  await hydrated(watching);
  await expect(watching.getByText('6T9HZ8FM2PA100418')).toBeVisible();
  await expect(watching.getByRole('heading', { name: 'Images (2)' })).toBeVisible();
  await expect(watching.getByText('PRIVATE DRIVER')).toBeHidden();
  expect(await watching.content()).not.toContain('PRIVATE DRIVER');

  await added.getByRole('link', { name: `View ${rego}` }).click();
  await expect(page.getByText('PRIVATE DRIVER')).toBeVisible();
  await page.getByRole('link', { name: 'Edit' }).click();
  await hydrated(page);
  await expect(page.getByRole('textbox', { name: 'Rego' })).toHaveAttribute('readonly');
  await page.getByLabel('Make', { exact: true }).fill('Kenworth');
  await page.getByRole('checkbox', { name: 'Remove image 1' }).check();
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await expect(watching.getByText('Kenworth')).toBeVisible();
  await expect(watching.getByRole('heading', { name: 'Images (1)' })).toBeVisible();
  await expect(toast(page, 'Vehicle updated successfully.')).toBeVisible();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  await expect(page.getByRole('heading', { name: 'Changes' })).toBeVisible();
  await expect(page.getByText('Make: ')).toBeVisible();
  // Back does not lead into the form that was saved, and Go Back passes over the page from which it was opened, where
  // that is the one it led to; nor does it lead into the dialog that was closed, or into a form that leads on at once.
  await page.goBack();
  await expect(page).toHaveURL(`/vehicles/view/${rego}`);
  await page.goForward();
  await page.getByRole('link', { name: 'Calibrate', exact: true }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).last().click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'Go Back' }).click();
  await expect(page).toHaveURL(/\/vehicles(\?.*)?$/);
  await watching.context().close();
});

for (const width of [320, 390])
  test(`a phone has one row of actions above the verdict and the rest in a menu, ${width} px wide`, async ({
    page,
    registry,
  }) => {
    const rego = await newVehicle(registry);
    await signInAs(page, await newPerson(registry, 'admin'));
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/vehicles/view/${rego}`);
    await hydrated(page);
    const back = page.getByRole('link', { name: 'Go Back' });
    const calibrate = page.getByRole('link', { name: 'Calibrate', exact: true });
    const all = page.getByRole('link', { name: 'Calibrate all axles' });
    const more = page.getByLabel('More actions');
    const boxes = await Promise.all([back, calibrate, all, more].map((each) => each.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const menu = page.locator('.menu');
    await expect(menu).toBeHidden();
    await more.click();
    await expect(menu.getByRole('link')).toHaveText([
      'Edit vehicle',
      'Change plate',
      'Follow by email',
      'Report (PDF)',
      'Delete',
    ]);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(more).toBeFocused();
    await more.click();
    await page.mouse.click(5, 700);
    await expect(menu).toBeHidden();
    await more.click();
    await menu.getByRole('link', { name: 'Edit vehicle' }).click();
    await expect(page).toHaveURL(`/vehicles/update/${rego}`);
  });
