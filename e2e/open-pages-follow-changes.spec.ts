import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newVehicle } from './vehicles.ts';

const WITHIN = { timeout: 1_500 };

test('a search shows an import that runs beside it', async ({ page, registry }) => {
  await page.goto('/?q=LIVE0');
  await hydrated(page);
  await expect(page.getByRole('heading', { name: 'No vehicle matches “LIVE0”' })).toBeVisible();
  await expect.poll(() => liveConnections(registry.url)).toBeGreaterThan(0);
  await registry.importMore({ Vehicles: { LIVE01: { rego: 'LIVE01' } } });
  await expect(page.getByRole('heading', { name: '1 vehicle matches “LIVE0”' })).toBeVisible(WITHIN);
});

test('a vehicle page follows its record, also after the server was killed and came back', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(
    /ERR_CONNECTION_(REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH/,
  );
  await registry.importMore({ Vehicles: { LIVE99: { rego: 'LIVE99', company_name: 'First Haulage' } } });
  await page.goto('/vehicles/view/LIVE99');
  await hydrated(page);
  await expect(page.getByText('First Haulage')).toBeVisible();
  await expect.poll(() => liveConnections(registry.url)).toBeGreaterThan(0);
  const rename = (companyName: string) =>
    registry.db.transaction().execute(async (tx) => {
      await tx.updateTable('vehicle').set({ companyName }).where('rego', '=', 'LIVE99').execute();
      await appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null, rego: 'LIVE99' }]);
    });
  await rename('Second Haulage');
  await expect(page.getByText('Second Haulage')).toBeVisible(WITHIN);
  await registry.killServer();
  await rename('Third Haulage');
  await expect(page.getByText('This page may be out of date. Trying again…')).toBeVisible();
  await registry.startServer();
  await expect(page.getByText('Third Haulage')).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText('This page may be out of date.')).toHaveCount(0);
});

test('the message of a decision is shown when the page hears of it before it has come back', async ({
  page,
  registry,
}) => {
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.addInitScript(() => {
    const realFetch = globalThis.fetch;
    let isDecided = false;
    globalThis.fetch = async (...asked) => {
      const answer = await realFetch(...asked);
      if (asked[1]?.method === 'POST') isDecided = true;
      else if (isDecided && new URL(answer.url).pathname.endsWith('.data')) {
        isDecided = false;
        // It comes, but is not taken: what the page hears in between asks again.
        await new Promise((_resolve, reject) => {
          asked[1]?.signal?.addEventListener('abort', () => reject(new DOMException('asked again', 'AbortError')));
        });
      }
      return answer;
    };
  });
  await page.goto(`/vehicles/view/${rego}`);
  await hydrated(page);
  await expect.poll(() => liveConnections(registry.url)).toBeGreaterThan(0);
  const back = page.waitForResponse((answer) => answer.request().method() === 'GET' && answer.url().includes('.data'));
  await page.getByRole('button', { name: 'Validate', exact: true }).click();
  await back;
  await registry.db
    .transaction()
    .execute((tx) => appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null, rego }]));
  await expect(page.getByText('Calibration validated.')).toBeVisible();
  expect((await page.context().cookies()).filter(({ name }) => name === 'registry-notice')).toEqual([]);
});

test('a reload whose answer is cut off is asked for again and leaves no error, and any other error is still heard', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/something else broke/);
  await page.addInitScript(() => {
    const realFetch = globalThis.fetch;
    let isCut = false;
    globalThis.fetch = async (...asked) => {
      const answer = await realFetch(...asked);
      if (isCut || !new URL(answer.url).pathname.endsWith('.data')) return answer;
      isCut = true;
      const cutOff = () => Promise.reject(new DOMException('BodyStreamBuffer was aborted', 'AbortError'));
      return new Response(answer.body!.pipeThrough(new TransformStream({ flush: cutOff })), answer);
    };
  });
  await page.goto('/?q=CUT0');
  await hydrated(page);
  await expect.poll(() => liveConnections(registry.url)).toBeGreaterThan(0);
  await registry.importMore({ Vehicles: { CUT01: { rego: 'CUT01' } } });
  await expect(page.getByText('This page may be out of date.')).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 vehicle matches “CUT0”' })).toBeVisible();
  const heard = page.waitForEvent('pageerror');
  await page.evaluate(() => void setTimeout(() => void Promise.reject(new Error('something else broke')), 50));
  expect((await heard).message).toBe('something else broke');
});

async function liveConnections(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^registry_live_connections (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

test('tabs that nobody sees take no connection, and catch up when they are seen', async ({ browser, registry }) => {
  const rego = await newVehicle(registry);
  const context = await browser.newContext({ baseURL: registry.url });
  const hide = (hidden: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const open = async (isHidden: boolean) => {
    const tab = await context.newPage();
    if (isHidden) await tab.addInitScript(hide, true);
    await tab.goto(`/vehicles/view/${rego}`);
    await hydrated(tab);
    return tab;
  };
  // A browser opens six connections to an address at most: a seventh page would wait for ever.
  const first = await open(true);
  for (let n = 0; n < 7; n += 1) await open(true);
  const seen = await open(false);
  await expect.poll(() => liveConnections(registry.url)).toBeGreaterThan(0);
  await registry.db.transaction().execute(async (tx) => {
    await tx.updateTable('vehicle').set({ companyName: 'Unseen Haulage' }).where('rego', '=', rego).execute();
    await appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null, rego }]);
  });
  await expect(seen.getByText('Unseen Haulage')).toBeVisible(WITHIN);
  await expect(first.getByText('Unseen Haulage')).toHaveCount(0);
  await first.evaluate(hide, false);
  await expect(first.getByText('Unseen Haulage')).toBeVisible(WITHIN);
  await seen.evaluate(hide, true);
  await expect.poll(() => liveConnections(registry.url), { timeout: 10_000 }).toBe(1);
  await context.close();
});
