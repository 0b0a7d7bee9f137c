// Anybody can prove that a reading was not altered after it was recorded, and every alteration is found.
import { sql } from 'kysely';
import { expect, hydrated, test } from './registry.ts';
import { newPerson, sessionOf } from './people.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

async function recordReading(registry: StartedRegistry, rego: string, value: string): Promise<string> {
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'technician'));
  const headers = { cookie, origin: registry.url };
  const vehicle = new FormData();
  vehicle.set('rego', rego);
  await fetch(`${registry.url}/vehicles/new`, { method: 'POST', body: vehicle, headers, redirect: 'manual' });
  const form = new URLSearchParams({ rego, axle: 'STEER', attribute: 'Empty Weight', value, due_date: '' });
  await fetch(`${registry.url}/vehicles/view/${rego}?calibrate`, {
    method: 'POST',
    body: form,
    headers,
    redirect: 'manual',
  });
  const { id } = await registry.db
    .selectFrom('calibration')
    .select('id')
    .where('rego', '=', rego)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await expect
    .poll(async () => (await fetch(`${registry.url}/api/v1/vehicles/${rego}/calibrations/${id}/proof`)).status)
    .toBe(200);
  return `/calibrations/${rego}/${id}`;
}

// A page that is asked for with a cookie does not come from the cache, which alterations behind the log do not reach.
test.beforeEach(({ context, registry }) => context.addCookies([{ name: 'asked', value: 'yes', url: registry.url }]));

/** What a page has found stays said until a check of the whole history, which comes once a day. */
const forgetFindings = ({ db }: StartedRegistry) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await tx.deleteFrom('historyCheck').execute();
  });

test('a reading is proved in the browser, again after the log has grown; one that was altered is not', async ({
  page,
  registry,
}) => {
  const rego = `PROOF${process.pid % 10_000}`;
  const address = await recordReading(registry, rego, '5890');
  await page.goto(address);
  await hydrated(page);
  await expect(page.getByText('In the public log')).toBeVisible();
  await page.getByRole('button', { name: 'Check the proof' }).click();
  await expect(page.getByText('Proved', { exact: true })).toBeVisible();
  await expect(page.getByText('This browser will remember this log.')).toBeVisible();

  await page.goto(`/vehicles/view/${rego}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Check the proof' }).click();
  await expect(page.getByText('Proved', { exact: true })).toBeVisible();
  await page.goto(address);
  await hydrated(page);
  await recordReading(registry, rego, '5891');
  await page.getByRole('button', { name: 'Check the proof' }).click();
  await expect(page.getByText(/Since this browser saw it with [\d,]+ entries, the log has only grown\./)).toBeVisible();

  // Somebody with the database's password alters the value, and nothing else.
  await registry.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await tx
      .updateTable('calibration')
      .set({ value: '4890' })
      .where('rego', '=', rego)
      .where('value', '=', '5890')
      .execute();
  });
  await page.goto(address);
  await hydrated(page);
  await expect(page.getByRole('alert')).toContainText('Does not match the log');
  await page.getByRole('button', { name: 'Check the proof' }).click();
  await expect(page.getByText('DOES NOT MATCH', { exact: true })).toBeVisible();
  await expect(page.getByText('The log says value "5890", and the page shows "4890".')).toBeVisible();
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByRole('alert')).toContainText('Do not rely on this record.');
  await expect(page.getByText(/its value is not what was logged/)).toBeVisible();
  await forgetFindings(registry);
  // Deletes it, which leaves a gap, and inserts one that the log does not have.
  await registry.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await tx.deleteFrom('calibration').where('rego', '=', rego).where('value', '=', '4890').execute();
    await sql`insert into calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at)
      select rego, 7, vehicle_id, axle, attribute, '1', calibrated_at from calibration where rego = ${rego}`.execute(
      tx,
    );
  });
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByText(/is about it, and the record is gone/)).toBeVisible();
  await expect(page.getByText(/the log has no entry about it/)).toBeVisible();
});

test('an entry has a page of its own, and the log’s pages lead to every one', async ({ page, registry, browser }) => {
  const rego = `PROVE${process.pid % 10_000}`;
  const address = await recordReading(registry, rego, '5890');
  await page.goto(address);
  await hydrated(page);
  const link = page.getByRole('link', { name: /^Entry [\d,]+$/ });
  const index = Number((await link.innerText()).replaceAll(/\D/g, ''));
  await link.click();
  await expect(page).toHaveURL(`/log/entries/${index}`);
  await expect(page.getByRole('heading', { name: 'A calibration was recorded' })).toBeVisible();
  await expect(page.getByText('5890', { exact: true })).toBeVisible();
  await expect(page.locator('main')).not.toContainText(rego);
  await page.getByRole('button', { name: 'Check the proof' }).click();
  await expect(page.getByText('Proved', { exact: true })).toBeVisible();
  // The page states the time in one zone, the registry's.
  const logged = await page.getByText(/^\d+ \w+ \d{4}, \d+:\d\d [ap]m AE[DS]T$/).innerText();
  await expect(page.getByText(`was logged on ${logged}.`)).toBeVisible();
  const before = page.getByRole('navigation', { name: 'Neighbouring entries' }).locator('[rel=prev]');
  await before.click();
  await expect(page).toHaveURL(`/log/entries/${index - 1}`);

  await page.goto('/log');
  await page.getByRole('navigation', { name: 'Pages of entries' }).getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible();
  const first = page.locator('ol').getByRole('link').first();
  const named = Number((/^[\d,]+/.exec(await first.innerText())?.[0] ?? '').replaceAll(',', ''));
  await first.click();
  await expect(page).toHaveURL(`/log/entries/${named}`);

  // Without scripts: the proof to take away, and how it is checked, in the card of the verdict.
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const without = await plain.newPage();
  await without.goto(`${registry.url}/vehicles/view/XV04KL`);
  const card = without.locator('.card', { has: without.getByRole('heading', { level: 1 }) });
  await expect(card.getByRole('link', { name: 'Proof file' })).toBeVisible();
  await expect(card.getByText('The proof file can be checked without this site')).toBeVisible();
  await expect(card.getByRole('button')).toHaveCount(0);
  await without.goto(`${registry.url}/log/entries/999999999`);
  await expect(without.getByRole('heading', { name: 'No such entry in the public log' })).toBeVisible();
  await plain.close();
});
