// Witnesses of the public log: what the pages say of them, what a proof then says, and a proof that is carried out of
// reach.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '#app/platform/process/config.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { codesOf, codesOfPicture, hasPaperReaders } from '#test/paper-readers.ts';
import { startRegistry } from '#test/start-registry.ts';
import { startSecondWitness, type SecondWitness } from '#test/witnesses/second-witness.ts';
import { policyOf } from '#test/witnesses/witness-lines.ts';
import { tooWide } from './fits.ts';
import { expect, hydrated, test as base } from './registry.ts';

const witnesses: SecondWitness[] = [];
const REGO = 'XV04KL';

const test = base.extend({
  registry: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const registry = await startRegistry(async ({ dataDir }) => {
        const { verifier } = await logKey(readConfig({ DATA_DIR: dataDir }));
        const logs = [formatVerifierKey(verifier)];
        for (const name of ['north', 'south'])
          witnesses.push(await startSecondWitness({ name: `${name}.example/w`, logs }));
        const [north, south] = witnesses;
        if (north === undefined || south === undefined) throw new Error('two witnesses are needed');
        const file = path.join(dataDir, 'witness-policy');
        await writeFile(
          file,
          policyOf(
            [
              { name: 'north', ...north },
              { name: 'south', ...south },
            ],
            2,
          ),
        );
        return { WITNESS_POLICY_FILE: file };
      });
      await use(registry);
      await registry.stop();
      for (const witness of witnesses) await witness.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

// One after the other, on one registry.
test.describe.configure({ mode: 'default' });

const witnessed = (url: string) =>
  expect.poll(async () => (await fetch(`${url}/log/1/checkpoint.witnessed`)).status, { timeout: 30_000 });

test('the pages of the log say by whom it is witnessed, and every proof does', async ({ page, registry }) => {
  await witnessed(registry.url).toBe(200);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto('/log');
  await expect(page.getByText(/entries, by 2 of 2 witnesses \((north, south|south, north)\)/)).toBeVisible();
  await page.getByRole('link', { name: 'Witnesses' }).click();
  await expect(page.getByRole('heading', { name: 'Witnesses' })).toBeVisible();
  await expect(page.getByText('2 of 2 must sign')).toBeVisible();
  await expect(page.getByText('Both are our own.')).toBeVisible();
  await expect(page.getByText('Up to date')).toHaveCount(2);
  expect(await tooWide(page)).toEqual([]);
  await page.goto(`/vehicles/view/${REGO}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Check the proof' }).click();
  await expect(page.getByText('Proved', { exact: true })).toBeVisible();
  await expect(page.getByText(/Witnessed by 2 of 2 witnesses/)).toBeVisible();
});

test('a proof file is read out of reach: today’s verdict, another truck, a changed byte', async ({
  page,
  context,
  registry,
  quiet,
}) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED/);
  await witnessed(registry.url).toBe(200);
  const file = Buffer.from(await (await fetch(`${registry.url}/api/v1/vehicles/${REGO}/proof`)).arrayBuffer());
  await page.goto('/field');
  await hydrated(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByRole('link', { name: 'Read a proof file' }).click();
  await expect(page.getByRole('heading', { name: 'Read a proof' })).toBeVisible();
  await expect(page.getByText('does not know the registry’s public log yet')).toBeHidden();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Read a proof' })).toBeVisible();

  const read = async (rego: string, bytes: Buffer) => {
    await page.getByLabel('Rego, as it stands on the truck').fill(rego);
    await page
      .getByLabel('Proof file')
      .setInputFiles({ name: `${REGO}.tlog-proof`, mimeType: 'text/plain', buffer: bytes });
    await page.getByRole('button', { name: 'Read the proof' }).click();
  };
  await page.getByRole('button', { name: 'Read the proof' }).click();
  await expect(page.getByText('A rego is required')).toBeVisible();
  await expect(page.getByText('Choose the proof file, or paste its text.')).toBeVisible();
  await read('xv 04-kl', file);
  await expect(page.getByText(/Proved as at .* by 2 of 2 witnesses .* Nothing newer is known here\./)).toBeVisible();
  await expect(page.getByRole('main').getByText('Valid', { exact: true })).toBeVisible();
  await read('XV11QT', file);
  await expect(page.getByText('It is the proof of XV04KL, and not of XV11QT.')).toBeVisible();
  const changed = Buffer.from(file);
  const place = file.length - 20;
  changed[place] = changed[place] === 65 ? 66 : 65;
  await read(REGO, changed);
  await expect(page.getByText('DOES NOT MATCH', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByText('Valid', { exact: true })).toBeHidden();
});

test('a phone fetches what it knows of the log when /field is opened, and by itself when the network is back', async ({
  page,
  context,
  quiet,
}) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED/);
  const known = () => page.evaluate(() => localStorage.getItem('log policy'));
  await page.goto('/field');
  await hydrated(page);
  await expect.poll(known).toMatch(/^log /m);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // A phone that never knew it, and opens the view without a network.
  await context.setOffline(true);
  await page.evaluate(() => localStorage.removeItem('log policy'));
  await page.goto('/field#proof');
  await page.reload();
  const unknown = page.getByText('does not know the registry’s public log yet');
  await expect(unknown).toBeVisible();
  await expect(page.getByRole('button', { name: 'Read the proof' })).toHaveAttribute('aria-disabled', 'true');
  await context.setOffline(false);
  await expect(unknown).toBeHidden();
  expect(await known()).toMatch(/^log /m);
});

test('the code of a proof is read from a phone’s screen and from the printed report, and its text is the file', async ({
  browser,
  page,
  registry,
}) => {
  test.skip(!hasPaperReaders(), 'there is no program that reads codes');
  await witnessed(registry.url).toBe(200);
  const address = `${registry.url}/api/v1/vehicles/${REGO}/proof`;
  // zbar gives a line each, and leaves empty ones out.
  const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
  const file = await (await fetch(address)).text();
  const phone = await browser.newContext({ viewport: { width: 390, height: 800 }, deviceScaleFactor: 3 });
  const screen = await phone.newPage();
  await screen.goto(`${registry.url}/vehicles/view/${REGO}`);
  await screen.getByRole('link', { name: 'As a code' }).click();
  await expect(screen).toHaveURL(/proof\.svg$/);
  expect(await codesOfPicture(await screen.screenshot())).toEqual(linesOf(file));
  await phone.close();
  const pdf = Buffer.from(await (await fetch(`${registry.url}/vehicles/report/${REGO}.pdf`)).arrayBuffer());
  const printed = await codesOf(pdf, 300);
  expect(printed).toEqual(expect.arrayContaining(linesOf(file).slice(0, 3)));

  await page.goto('/field#proof');
  await hydrated(page);
  await page.getByLabel('Rego, as it stands on the truck').fill(REGO);
  await page.getByLabel('Or the text of its code').fill(file);
  await page.getByRole('button', { name: 'Read the proof' }).click();
  await expect(page.getByText(/Proved as at .* by 2 of 2 witnesses/)).toBeVisible();
});
