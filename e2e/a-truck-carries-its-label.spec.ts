import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { codesOfPicture, hasPaperReaders } from '#test/paper-readers.ts';
import { fillSignIn, newPerson } from './people.ts';
import { expect, hydrated, test } from './registry.ts';

// The browser takes registry.example for this machine, as a phone would take it for the registry.
const PORT_OF = (registry: StartedRegistry) => new URL(registry.url).port;
const chromium = process.env['CHROMIUM'];
test.use({
  launchOptions: {
    ...(chromium === undefined ? {} : { executablePath: chromium }),
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP registry.example 127.0.0.1'],
  },
});

test('labels come one by one or as a sheet, and a scan leads to the live page', async ({ browser, quiet }) => {
  quiet.allow(/404/);
  test.setTimeout(300_000);
  const registry = await startRegistry(({ port }) =>
    Promise.resolve({ PUBLIC_URL: `http://registry.example:${port}` }),
  );
  const context = await browser.newContext({ baseURL: `http://registry.example:${PORT_OF(registry)}` });
  try {
    const page = await context.newPage();
    // Only the browser knows this name.
    await page.goto('/login');
    await fillSignIn(page, (await newPerson(registry, 'technician')).email);
    await page.waitForURL('**/dashboard');
    await page.goto('/vehicles/view/XV04KL');
    const address = `http://registry.example:${PORT_OF(registry)}/vehicles/view/XV04KL`;
    const picture = await context.newPage();
    await picture.setViewportSize({ width: 420, height: 220 });
    await picture.goto((await page.getByRole('link', { name: 'SVG' }).getAttribute('href')) ?? '');
    if (hasPaperReaders()) expect(await codesOfPicture(await picture.screenshot())).toEqual([address]);
    await picture.goto(address);
    await expect(picture.getByRole('heading', { level: 1 })).toContainText('Scale calibration of XV04KL');
    // Everybody has the label, and gives the page on.
    const stranger = await browser.newPage();
    await stranger.goto(address);
    const label = await stranger.getByRole('link', { name: 'Label' }).getAttribute('href');
    expect(await stranger.evaluate(async (href) => (await fetch(href)).status, label ?? '')).toBe(200);
    await expect(stranger.getByRole('button', { name: 'Share' })).toBeVisible();
    await stranger.close();

    await page.goto('/vehicles?q=XV0');
    await hydrated(page);
    await expect(page.getByText('Prints ticked vehicles, or all results (up to 200). A4 PDF.')).toBeVisible();
    await page.getByLabel('Tick XV04KL').focus();
    await page.keyboard.press('Space');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Labels' }).click();
    expect((await download).suggestedFilename()).toBe('labels.pdf');
    const asked = new URL((await download).url()).searchParams;
    expect([asked.get('q'), asked.getAll('rego')]).toEqual(['XV0', ['XV04KL']]);

    // Nothing is ticked and there are more than one print takes: the list stays and says so.
    await registry.db
      .insertInto('vehicle')
      .values(Array.from({ length: 201 }, (_, index) => ({ rego: `ZMANY${index}` })))
      .execute();
    await page.goto('/vehicles?q=ZMANY&sort=rego&dir=desc');
    await page.getByRole('button', { name: 'Labels' }).click();
    await expect(page.getByRole('alert')).toContainText('Too many vehicles for one print.');
    await expect(page).toHaveURL(/\/vehicles\?q=ZMANY&sort=rego&dir=desc$/);
    await page.goto('/vehicles/label/GONE1.svg');
    await expect(page.getByText('No vehicle with rego GONE1 is in this registry')).toBeVisible();
  } finally {
    await context.close();
    await registry.stop();
  }
});
