// Visits that wait for the same failed check are opened one by one and accepted together, also without scripts. What
// was not opened, or has changed, is not accepted.
import type { Page } from '@playwright/test';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { DAY_MS, recordSet, truck } from './visits.ts';

// In sequence, because all share one queue.
test.describe.configure({ mode: 'serial' });

const ALIKE = '/visits/alike?checks=prompt';

async function waitingAlike(registry: StartedRegistry, count: number): Promise<string[]> {
  const technician = await newPerson(registry, 'technician');
  const regos: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const rego = await truck(registry);
    const visitedAt = new Date(Date.now() - 40 * DAY_MS);
    expect(await recordSet(registry, technician, rego, 0, { visitedAt })).toMatchObject({ state: 'waits' });
    regos.push(rego);
  }
  return regos;
}
const open = (page: Page, rego: string) => page.getByRole('link', { name: new RegExp(`^${rego}`) }).click();
const states = async (registry: StartedRegistry, regos: readonly string[]) => {
  const visits = registry.db
    .selectFrom('visit')
    .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
    .select('visit.state')
    .where('rego', 'in', [...regos]);
  return (await visits.execute()).map(({ state }) => state);
};

test('each is opened, then all are accepted for one reason, with a decision each', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  const regos = await waitingAlike(registry, 3);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/visits');
  await hydrated(page);
  await page
    .getByText('wait for the same: Prompt.')
    .getByRole('link', { name: 'Open and accept them as a group' })
    .click();
  const accept = page.getByRole('button', { name: 'Accept these 3' });
  await expect(accept).toBeDisabled();
  for (const [nth, rego] of regos.entries()) {
    await open(page, rego);
    await expect(page.getByText(`${nth + 1} of 3 seen.`)).toBeVisible();
  }
  await accept.click();
  await expect(page.getByText('Choose a public reason.')).toBeVisible();
  expect(await states(registry, regos)).toEqual(['waits', 'waits', 'waits']);
  await page.getByLabel('Public reason, for each of them').selectOption('Weighed again with the same result');
  await accept.click();
  await expect(page.getByText('The visits count.').first()).toBeVisible();
  expect(await states(registry, regos)).toEqual(['accepted', 'accepted', 'accepted']);
});

test('without scripts, the server refuses all while one was not opened, and one that has changed', async ({
  browser,
  registry,
}) => {
  const [first = '', second = ''] = await waitingAlike(registry, 2);
  const context = await browser.newContext({ baseURL: registry.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(ALIKE);
  await open(page, first);
  const token = await page.locator('input[name="visit"]').getAttribute('value');
  const send = (fields: Record<string, string>) =>
    page.request.post(ALIKE, {
      headers: { 'sec-fetch-site': 'same-origin' },
      form: { visit: token ?? '', reason: 'weighed-again', ...fields },
    });
  const all = await send({ all: '2' });
  expect(all.status()).toBe(400);
  expect(await all.text()).toContain('Nothing is accepted. Open each visit before.');
  expect(await states(registry, [first, second])).toEqual(['waits', 'waits']);
  await registry.db
    .updateTable('visit')
    .set({ dueOn: '2026-06-06' })
    .where('id', '=', (token ?? '').split('.')[0] ?? '')
    .execute();
  const changed = await send({});
  expect(changed.status()).toBe(409);
  expect(await changed.text()).toContain('0 of 1 are accepted.');
  expect(await states(registry, [first, second])).toEqual(['waits', 'waits']);
  await context.close();
});
