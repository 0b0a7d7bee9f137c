// The activity log: who did what, when, and to which record. Admins filter it, export it as CSV, and follow it live.
import type { Page } from '@playwright/test';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { expect, hydrated, test } from './registry.ts';
import { newPerson, sessionOf, signInAs } from './people.ts';

const PREFIX = `G${process.pid % 10_000}X`;
const count = (page: Page) => page.getByRole('main').getByRole('status');

// Through the form, so that the activity log gets its entry.
async function addVehicle(registry: StartedRegistry, rego: string, cookie: string): Promise<void> {
  const form = new FormData();
  form.set('rego', rego);
  const headers = { cookie, origin: registry.url };
  const sent = await fetch(`${registry.url}/vehicles/new`, { method: 'POST', body: form, headers, redirect: 'manual' });
  expect(sent.status).toBe(303);
}

test('an admin finds who did what, sees what changed, and takes it away as CSV', async ({ page, registry }) => {
  const rego = `${PREFIX}1`;
  const today = todayIn('Australia/Sydney');
  const technician = await newPerson(registry, 'technician', { name: `Tess ${PREFIX}` });
  await addVehicle(registry, rego, (await sessionOf(registry, technician)).cookie);
  await registry.db.transaction().execute(async (tx) => {
    const actorId = await findOrAddActor(tx, { name: `=Tess ${PREFIX}`, email: technician.email });
    const about = { actorId, subject: 'vehicle', subjectId: 'x', rego };
    await appendActivities(
      tx,
      Array.from({ length: 22 }, (_, place) => ({
        ...about,
        kind: 'vehicle.updated' as const,
        details: `${rego} updated, ${place}`,
        changes: [{ field: 'company_name', from: 'First Haulage', to: `Haulage ${place}` }],
      })),
    );
  });
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Logs' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Logs');
  await hydrated(page);

  await page.getByLabel('Record').fill(rego.toLowerCase());
  await page.getByLabel('Record').press('Enter');
  await expect(count(page)).toHaveText('23 entries');
  await expect(page).toHaveURL(`/logs?record=${rego.toLowerCase()}`);
  await expect(page.getByLabel('Record')).toBeFocused();
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await expect(page.getByRole('rowheader').first()).toContainText(`${rego} updated, 21`);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('rowheader')).toHaveCount(3);
  await expect(page.getByRole('rowheader').last()).toContainText('Vehicle added');
  await expect(page.getByRole('row').last()).toContainText(`Tess ${PREFIX}`);

  // What changed opens in its row, and the record is one step away.
  const entry = page.getByRole('row').nth(1);
  await expect(entry.getByText('First Haulage')).toBeHidden();
  await entry.getByText('1 changed field').click();
  await expect(entry.getByRole('listitem')).toHaveText(/^Company.*: First Haulage → Haulage 1$/);
  await expect(entry.getByRole('link', { name: `Vehicle ${rego}` })).toHaveAttribute('href', `/vehicles/view/${rego}`);

  // All filters together; the back button brings the fields back too.
  await page.getByLabel('What').selectOption('Vehicle added');
  await page.getByLabel('Who').fill(`TESS ${PREFIX}`);
  await page.getByLabel('From').fill(addDays(today, -1));
  await page.getByLabel('To').fill(today);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(count(page)).toHaveText('1 entry');
  await page.goBack();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expect(page.getByLabel('What')).toHaveValue('');
  await expect(page.getByLabel('Who')).toHaveValue('');
  await expect(page.getByLabel('Record')).toHaveValue(rego.toLowerCase());

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const parts: Buffer[] = [];
  for await (const part of await (await download).createReadStream()) parts.push(part as Buffer);
  const lines = Buffer.concat(parts).toString('utf8').split('\r\n');
  expect(lines).toHaveLength(1 + 23 + 1);
  expect(lines[0]).toMatch(/^\uFEFFentry,timestamp,/);
  expect(lines[1]).toContain(`'=Tess ${PREFIX}`);

  await page.getByRole('link', { name: 'Clear' }).click();
  await expect(page).toHaveURL('/logs');
  await expect(page.getByLabel('Record')).toHaveValue('');
});

test('what others do stands there within a second, and nothing that is being typed is lost', async ({
  page,
  registry,
}) => {
  const rego = `${PREFIX}LIVE`;
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/logs?record=${rego}`);
  await hydrated(page);
  await expect(page.getByText('No entry matches these filters')).toBeVisible();
  await page.getByLabel('Who').fill('half a na');
  await page.waitForTimeout(500);
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'technician'));
  await addVehicle(registry, rego, cookie);
  await expect(page.getByRole('rowheader')).toContainText(`${rego} added`);
  await expect(page.getByLabel('Who')).toHaveValue('half a na');
  await registry.importMore({ Vehicles: { [rego]: { rego, company_name: 'Imported Haulage' } } });
  await page.goto('/logs?kind=vehicle.imported&who=registry&record=XV27BD');
  await expect(page.getByRole('rowheader')).toContainText('XV27BD imported');
  await expect(page.getByRole('row').last()).toContainText('(imported)');
});

test('nothing is wider than the screen, and a phone keeps everything of an entry', async ({ page, registry }) => {
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/logs?record=XV27BD');
  for (const width of [1280, 992, 825, 560, 559, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([width, overflow]).toEqual([width, 0]);
    const row = page.getByRole('row').last();
    for (const text of ['The registry', /\d{4}, \d+:\d\d [ap]m/, 'Vehicle XV27BD'])
      await expect(row.getByText(text).filter({ visible: true }).first()).toBeVisible();
  }
});
