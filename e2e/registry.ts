// The fixtures of all browser tests: a running registry, and pages in which any console error fails the test.
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';

type Fixtures = { quiet: { allow: (message: RegExp) => void } };

/** A file that sets `settings` has a registry of its own, with these environment variables: name it `*.own.spec.ts`. */
export const test = base.extend<Fixtures, { settings: NodeJS.ProcessEnv; registry: StartedRegistry }>({
  settings: [{}, { option: true, scope: 'worker' }],
  registry: [
    async ({ settings }, use) => {
      const registry = await startRegistry(settings);
      await use(registry);
      await registry.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ registry }, use) => use(registry.url),
  quiet: [
    async ({ context }, use) => {
      const allowed: RegExp[] = [];
      const heard: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          heard.push(`${message.type()}: ${message.text()}`);
      });
      context.on('weberror', (error) => heard.push(`page error: ${error.error().message}`));
      await use({ allow: (message) => allowed.push(message) });
      expect(heard.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The part of React's tree that shows whether a boundary is hydrated. */
type Fiber = {
  memoizedState: { isDehydrated?: boolean; dehydrated?: object | null } | null;
  child: Fiber | null;
  sibling: Fiber | null;
};

/**
 * Waits until React has hydrated the whole page, with its boundaries. Fails if a dialog is open then that is not modal.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('body').dispatchEvent('pointerdown');
  const first = await page.waitForFunction(() => {
    const key = Object.keys(document).find((name) => name.startsWith('__reactContainer$'));
    if (key === undefined) return false;
    const { stateNode } = Reflect.get(document, key) as { stateNode: { current: Fiber } };
    const fibers = [stateNode.current];
    for (const { memoizedState, child, sibling } of fibers) {
      if (memoizedState?.isDehydrated === true || memoizedState?.dehydrated != null) return false;
      for (const next of [child, sibling]) if (next !== null) fibers.push(next);
    }
    const open = [...document.querySelectorAll('dialog[open]')];
    return open.every((dialog) => dialog.matches(':modal')) ? 'modal' : 'not modal';
  });
  expect(await first.jsonValue(), 'the dialogs of a page that is hydrated').toBe('modal');
}

/** From now on React's late effects come 300 ms late in this page, as on a slow phone. React runs them in messages. */
export async function runEffectsLate(page: Page): Promise<void> {
  const delay = () => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function later(message: unknown) {
      setTimeout(() => post.call(this, message), 300);
    };
  };
  await page.addInitScript(delay);
  await page.evaluate(delay);
}

/** A toast. */
export const toast = (page: Page, text: string): Locator => page.locator('.toast').filter({ hasText: text });
