// Three server processes on one database, behind one address. The others show a change within a second. A killed
// process breaks only its own connections, which reconnect to another.
import type { Page } from '@playwright/test';
import { startRelay, type Relay } from '#test/relay.ts';
import { startRegistry, type StartedNode, type StartedRegistry } from '#test/start-registry.ts';
import { decideValidation, newPerson, sessionOf } from './people.ts';
import { expect, hydrated, test as base } from './registry.ts';

type Nodes = { registry: StartedRegistry; others: [StartedNode, StartedNode]; relay: Relay; address: string };

const test = base.extend<object, { nodes: Nodes }>({
  nodes: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const registry = await startRegistry();
      const others: Nodes['others'] = [await registry.addNode(), await registry.addNode()];
      const ports = [Number(new URL(registry.url).port), ...others.map(({ port }) => port)];
      const relay = await startRelay(ports.map((port) => ({ port, host: '127.0.0.1' })));
      await use({ registry, others, relay, address: `http://127.0.0.1:${relay.port}` });
      await relay.stop();
      await registry.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const WITHIN = { timeout: 1_500 };

// In sequence, on the same three nodes.
test.describe.configure({ mode: 'default' });

test('a change through one node appears in a browser on another', async ({ page, nodes: { registry, others } }) => {
  const [shown, written] = others;
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  await page.goto(`${shown.url}/vehicles/view/XV04KL`);
  await hydrated(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(': Valid');
  await expect.poll(() => liveConnections(shown.url)).toBeGreaterThan(0);
  const took: number[] = [];
  for (const validated of ['no', 'yes', 'no', 'yes'] as const) {
    const word = validated === 'no' ? ': Not validated' : ': Valid';
    const shownAt = page.evaluate(momentOf, word);
    await decideValidation(written.url, cookie, 'XV04KL', validated);
    const began = Date.now();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(word, WITHIN);
    took.push((await shownAt) - began);
    // A page reloads at most every 0.7 s. The next change must not have to wait for that.
    await page.waitForTimeout(800);
  }
  process.stdout.write(`shown on another node after ${took.join(', ')} ms\n`);
});

test('one node is killed: its pages come back elsewhere, up to date, and no other page breaks', async ({
  browser,
  nodes: { registry, others, address },
}) => {
  const [doomed, written] = others;
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const listening = () => Promise.all([registry, doomed, written].map(({ url }) => liveConnections(url)));
  // A page of the test before may still be closing.
  await expect.poll(async () => sum(await listening())).toBe(0);
  const pages: Page[] = [];
  // The relay chooses the node of each event stream. Opens streams until the node to be killed has some, but not all.
  for (let onDoomed = 0; onDoomed < 2 || pages.length - onDoomed < 2; [, onDoomed = 0] = await listening()) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${address}/vehicles/view/XV11QT`);
    await hydrated(page);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(': Due soon');
    pages.push(page);
    await expect.poll(async () => sum(await listening())).toBe(pages.length);
  }
  const [, onDoomed] = await listening();
  const broken = new Set<number>();
  for (const [number, page] of pages.entries())
    page.on('requestfailed', (request) => {
      if (request.resourceType() === 'eventsource') broken.add(number);
    });

  await doomed.kill();
  await decideValidation(written.url, cookie, 'XV11QT', 'no');
  const began = performance.now();
  for (const page of pages)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(': Not validated', { timeout: 15_000 });
  const took = ((performance.now() - began) / 1000).toFixed(1);
  expect(broken.size).toBe(onDoomed);
  process.stdout.write(
    `${onDoomed} of ${pages.length} pages came back elsewhere; all were up to date after ${took} s\n`,
  );
  for (const page of pages) await page.context().close();
});

/** In the browser: the millisecond in which the page's heading says `word`. */
function momentOf(word: string): Promise<number> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('h1')?.textContent.includes(word) !== true) return;
      observer.disconnect();
      resolve(Date.now());
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

async function liveConnections(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^registry_live_connections (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
