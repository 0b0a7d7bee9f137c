// A fleet's office follows its list by email: from the answers to the list, to the day it ends it.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { StartedRegistry } from '#test/start-registry.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';

/** The link in the newest mail to this address. */
async function mailedLink({ dataDir }: StartedRegistry, address: string): Promise<string> {
  let found = '';
  await expect
    .poll(async () => {
      const folder = path.join(dataDir, 'outbox');
      const files = await readdir(folder).catch(() => []);
      for (const file of files.filter((name) => name.endsWith('.eml')).toSorted()) {
        const text = (await readFile(path.join(folder, file), 'utf8')).replaceAll('=\n', '');
        if (text.includes(`To: ${address}`)) found = /\/following\/[\w-]{43}/.exec(text)?.[0] ?? found;
      }
      return found;
    })
    .not.toBe('');
  return found;
}

test('a list is followed, changed and left', async ({ browser, registry }) => {
  const [first, second] = [newRego(), newRego()];
  await registry.db
    .insertInto('vehicle')
    .values([{ rego: first }, { rego: second }])
    .execute();
  const context = await browser.newContext({
    baseURL: registry.url,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await page.goto('/check');
  await hydrated(page);
  await page.getByLabel('Regos or VINs').fill(`${first}\nNOSUCH1`);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('heading', { name: '2 lines checked' })).toBeVisible();

  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  const asking = await opened;
  await hydrated(asking);
  await expect(asking.getByLabel('Regos or VINs')).toHaveValue(`${first}\nNOSUCH1`);
  await asking.getByRole('textbox', { name: 'Email' }).fill('typed');
  await asking.getByRole('button', { name: 'Send me the link' }).click();
  await expect(asking.getByText('Enter an email address such as')).toBeVisible();
  await expect(asking.getByLabel('Regos or VINs')).toHaveValue(`${first}\nNOSUCH1`);
  const address = `fleet.${first.toLowerCase()}@site.example`;
  await asking.getByRole('textbox', { name: 'Email' }).fill(address);
  await asking.getByRole('button', { name: 'Send me the link' }).click();
  await expect(asking.getByText('We have sent an email to that address.')).toBeVisible();
  // The answers are still there.
  await expect(page.getByRole('heading', { name: '2 lines checked' })).toBeVisible();

  await page.goto(await mailedLink(registry, address));
  await hydrated(page);
  await page.getByRole('button', { name: 'Follow the list' }).click();
  await expect(page.getByRole('heading', { name: 'You are following 2 trucks' })).toBeVisible();
  await page.getByLabel('Regos or VINs').fill('"typed\n');
  await page.getByRole('button', { name: 'Save the list' }).click();
  await expect(page.getByText('opens a quotation mark that nothing closes')).toBeVisible();
  await page.getByLabel('Regos or VINs').fill(`${first}\n${second}\nNOSUCH1`);
  await page.getByRole('button', { name: 'Save the list' }).click();
  await expect(page.getByText('The list is saved.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'You are following 3 trucks' })).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV of the answers' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv).toContain(second);
  const checked = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Check it now' }).click();
  await expect((await checked).getByRole('heading', { name: '3 lines checked' })).toBeVisible();

  await page.getByRole('link', { name: 'Stop these emails' }).click();
  await page.getByRole('button', { name: 'Stop emails' }).click();
  await expect(page.getByRole('heading', { name: 'You have unsubscribed' })).toBeVisible();
  const follows = registry.db
    .selectFrom('follower')
    .select('id')
    .where('email', '=', address)
    .where('endedAt', 'is', null);
  expect(await follows.execute()).toEqual([]);
  await context.close();
});
