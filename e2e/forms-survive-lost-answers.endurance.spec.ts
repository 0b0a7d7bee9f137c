// Every form × every way in which its request can fail: the page shows the form's own message, keeps the typed text,
// and can send the form again.
import type { Locator, Page } from '@playwright/test';
import { offerSetup } from '#app/sign-in/set-up-registry.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import type { Fields } from '#test/forms/ground.ts';
import { WORDS, type Row } from '#test/forms/row.ts';
import { ROWS } from '#test/forms/rows.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { FAULT_WORDS, isForm, meet, STRANGERS, type Fault } from './faults.ts';
import { newPerson, sessionOf, type Person } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego, newVehicle } from './vehicles.ts';

const FAULTS: readonly [Fault, cause: RegExp][] = [
  ['connection reset', /no-answer\. The registry did not answer\./],
  ['502 from a proxy', /no-answer\. The registry did not answer\./],
  ['503 from a proxy', /no-answer\. The registry did not answer\./],
  ['offline', /no-network\. This device is offline\./],
];

for (const [place, row] of ROWS.entries())
  test(`${place + 1}, ${row.route.replace('.tsx', '')}: lost, refused by a proxy, offline`, async ({
    page,
    registry,
    quiet,
  }) => {
    quiet.allow(FAULT_WORDS);
    const admin = await newPerson(registry, 'admin');
    const { cookie: own } = await sessionOf(registry, admin);
    const { address, fields, cookie = row.isPublic === undefined ? own : '' } = await row.open(registry, admin, own);
    await give(page, registry, cookie);
    await page.goto(address);
    await hydrated(page);
    await survives(page, fields, row.inBrowser);
  });

test('logout in the sidebar: lost, refused by a proxy, offline', async ({ page, registry, quiet }) => {
  quiet.allow(FAULT_WORDS);
  await enter(page, registry, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  await hydrated(page);
  await survives(page, {}, { button: 'Logout', failure: FAILURES.logout });
});

test('sign-in/routes/setup: lost, refused by a proxy, offline', async ({ page, quiet }) => {
  quiet.allow(FAULT_WORDS);
  // While nobody can sign in.
  const registry = await startRegistry();
  try {
    await page.goto(`${registry.url}/setup?link=${(await offerSetup(registry.db)) ?? ''}`);
    await hydrated(page);
    const fields = { email: 'first@site.example', name: 'First', password: WORDS, repeat: WORDS };
    await survives(page, fields, { button: 'Set up', failure: FAILURES.setUp });
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await page.goto('about:blank');
  } finally {
    await registry.stop();
  }
});

async function enter(page: Page, registry: StartedRegistry, person: Person): Promise<void> {
  await give(page, registry, (await sessionOf(registry, person)).cookie);
}

async function give(page: Page, { url }: StartedRegistry, cookie: string): Promise<void> {
  const pairs = cookie.split('; ').filter((pair) => pair !== '');
  await page
    .context()
    .addCookies(
      pairs.map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.slice(pair.indexOf('=') + 1), url })),
    );
}

async function survives(page: Page, fields: Fields, { button, failure }: Row['inBrowser']): Promise<void> {
  const send = page.getByRole('button', {
    name: button,
    exact: !/^(Follow|Restore|Delete|Confirm the removal|Decline the join)$/.test(button),
  });
  const form = page.locator('form').filter({ has: send }).first();
  const typed: [Locator, string][] = [];
  for (const [name, text] of Object.entries(fields)) {
    const named = form.locator(`[name="${name}"]`);
    const choice = named.and(page.locator(`[type=radio][value="${text.replaceAll('\n', String.raw`\a `)}"]`));
    // A tile may hide its radio: a person taps the tile.
    if ((await choice.count()) === 1) await choice.locator('xpath=..').click();
    const box = named.and(page.locator('input:not([type=radio], [type=checkbox], [readonly]), textarea'));
    if ((await box.count()) !== 1 || !(await box.isVisible())) continue;
    await box.fill(text);
    typed.push([box, text]);
  }
  const boxes = form.locator('textarea, input:not([type=radio], [type=checkbox], [type=file], [readonly])');
  expect(typed.length > 0, 'something is typed').toBe((await boxes.filter({ visible: true }).count()) > 0);
  const { href } = new URL(page.url());
  for (const [fault, cause] of FAULTS) {
    const lost = await meet(page, fault, isForm);
    await send.first().click();
    const message = page
      .locator('[role="alert"], .toast-error')
      .filter({ hasText: failure })
      .filter({ hasText: cause });
    await expect(message.first()).toBeVisible();
    for (const [box, text] of typed) await expect(box).toHaveValue(text);
    expect([fault, page.url()]).toEqual([fault, href]);
    await expect.poll(lost.met).toBeGreaterThan(0);
    await lost.mend();
  }
  const answered = page.waitForResponse((response) => isForm(response.request()));
  await send.first().click();
  expect((await answered).status()).toBeLessThan(500);
}

test('somebody else answers a form: what was typed stays', async ({ page, registry, quiet }) => {
  quiet.allow(FAULT_WORDS);
  await enter(page, registry, await newPerson(registry, 'admin'));
  await page.goto(`/vehicles/new/${newRego()}`);
  await hydrated(page);
  await page.getByLabel('Make', { exact: true }).fill('Volvo');
  for (const stranger of STRANGERS) {
    const lost = await meet(page, stranger, isForm);
    await page
      .getByRole('button', { name: /^(Add Vehicle|Try again)$/ })
      .first()
      .click();
    await expect.poll(lost.met, stranger).toBe(1);
    await expect(page.getByRole('alert'), stranger).toContainText('no-answer. The registry did not answer.');
    await expect(page.getByLabel('Make', { exact: true }), stranger).toHaveValue('Volvo');
    await lost.mend();
  }
});

test('an answer that is lost on its way back: sent again, it counts once', async ({ page, registry, quiet }) => {
  quiet.allow(FAULT_WORDS);
  await enter(page, registry, await newPerson(registry, 'admin'));
  const rego = newRego();
  await page.goto(`/vehicles/new/${rego}`);
  await hydrated(page);
  await page.getByLabel('Make', { exact: true }).fill('Volvo');
  await page.route('**/vehicles/new/**', async (route) => {
    if (!isForm(route.request())) return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await expect(page.getByRole('alert')).toContainText('no-answer.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForURL('**/vehicles**');
  const kept = await registry.db.selectFrom('vehicle').select('make').where('rego', '=', rego).execute();
  expect(kept).toEqual([{ make: 'Volvo' }]);
});

test('on a phone an unsaved form says so in view, and the message has the focus', async ({ page, registry, quiet }) => {
  quiet.allow(FAULT_WORDS);
  await page.setViewportSize({ width: 390, height: 700 });
  await enter(page, registry, await newPerson(registry, 'technician'));
  for (const [address, button] of [
    ['/vehicles/calibrate/', 'Record calibration'],
    ['/vehicles/update/', 'Update Vehicle'],
  ] as const) {
    await page.goto(`${address}${await newVehicle(registry)}`);
    await hydrated(page);
    await page.getByLabel(/^Notes/).fill('Typed in the yard.');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: button }).click();
    const bar = page.getByText('Not saved: offline.').locator('..');
    await expect(bar).toBeFocused();
    await expect(bar).toBeInViewport({ ratio: 1 });
    // Also from the head of the form, whose end is far below.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(bar).toBeInViewport({ ratio: 1 });
    await page.context().setOffline(false);
    await expect(page.getByLabel(/^Notes/)).toHaveValue('Typed in the yard.');
    const answered = page.waitForResponse((response) => isForm(response.request()));
    await bar.getByRole('button', { name: 'Try again' }).click();
    await answered;
  }
});
