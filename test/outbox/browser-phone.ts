// A phone of the random runs in Chromium: the page /field of the registry with its service worker and its own sender, and the
// product's outbox beside it (in-browser.ts). All that it asks goes through the proxy.
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'vite';
import type { Person } from '#app/field/phone-store.ts';
import type { InBrowser } from './in-browser.ts';
import type { LineFault } from './program.ts';
import { FAULT_OF_LINE, type Line, type OpenPhone, type TestPhone } from './test-phone.ts';

declare const outboxOfTest: InBrowser;

const FULL_BYTES = 1;
const WITHIN_MS = 60_000;

/** `stop` ends the browser. */
export async function openBrowserPhones(): Promise<{ open: OpenPhone; stop: () => Promise<void> }> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, rollupOptions: { input: 'test/outbox/in-browser.ts', output: { format: 'iife' } } },
  });
  const [script] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  if (script?.type !== 'chunk') throw new Error('the script was not built');
  const executablePath = process.env['CHROMIUM'];
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  return {
    // Nothing is planted here: what is found in Node is found here too.
    open: async (person, line) => namedAndTimed(await openPhone(browser, script.code, person, line)),
    stop: () => browser.close(),
  };
}

/** A browser that no longer answers ends the run, with what was asked of it. */
function namedAndTimed(phone: TestPhone): TestPhone {
  const { keep, remove, again, file, openFile, send, set, setRoom, emptyCaches, visits, close } = phone;
  return {
    keep: (...given) => within('keep', keep(...given)),
    remove: (id) => within('remove', remove(id)),
    again: (id) => within('again', again(id)),
    file: (id) => within('file', file(id)),
    openFile: (text) => within('open file', openFile(text)),
    send: (how) => within('send', send(how)),
    set: (fault) => within('set', set(fault)),
    setRoom: (isLeft) => within('set room', setRoom(isLeft)),
    emptyCaches: () => within('empty caches', emptyCaches()),
    visits: () => within('visits', visits()),
    close: () => within('close', close()),
  };
}

async function within<T>(what: string, asked: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const late = pause(2 * WITHIN_MS, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`the browser did not answer: ${what}`);
  });
  late.catch(() => {});
  return Promise.race([asked, late]).finally(() => waiting.abort());
}

async function openPhone(browser: Browser, script: string, person: Person, line: Line): Promise<TestPhone> {
  const context = await browser.newContext({ baseURL: line.url });
  await context.addInitScript({ content: script });
  await signIn(context, line);
  let page = await openPage(context, WITHIN_MS);
  await within(
    'the service worker',
    page.evaluate(() => navigator.serviceWorker.ready),
  );
  // From its second visit on the worker answers it.
  await page.reload();
  const devtools = async () => context.newCDPSession(page);
  let fault: LineFault = { kind: 'whole' };
  const set = async (next: LineFault) => {
    await context.setOffline(next.kind === 'down');
    await line.proxy.set(faultOf(next));
  };
  const again = async () => {
    await page.close();
    page = await openPage(context).catch(async () => {
      // With emptied caches and a broken line no page opens: the outbox is reached again as soon as one does.
      await set({ kind: 'whole' });
      const opened = await openPage(context);
      await set(fault);
      return opened;
    });
  };
  return {
    async keep(visit, { state, now, photos }) {
      const given = photos?.map(({ id, name, bytes }) => ({ id, name, base64: Buffer.from(bytes).toString('base64') }));
      return page.evaluate((kept) => outboxOfTest.keep(kept), {
        visit,
        state,
        person,
        now: now.toISOString(),
        photos: given,
      });
    },
    remove: (id) => page.evaluate((one) => outboxOfTest.remove(one), id),
    async again(id) {
      await page.evaluate((one) => outboxOfTest.again(one), id);
    },
    file: (id) => page.evaluate((one) => outboxOfTest.file(one), id).then((text) => text ?? undefined),
    async openFile(text) {
      await page.evaluate((given) => outboxOfTest.openFile(given), [text, person] as [string, Person]);
    },
    async send({ tabs, killAfterMs } = { tabs: 1, killAfterMs: null }) {
      await signIn(context, line);
      // Only /field may ask the registry.
      if (new URL(page.url()).pathname !== '/field') await again();
      // A tab that does not open sends nothing.
      const other = tabs === 2 ? await openPage(context).catch(() => undefined) : undefined;
      const sending = page.evaluate((id) => outboxOfTest.send(id), person.id).catch(() => false);
      // The page's own sender, as when somebody comes back to it.
      await other?.evaluate(() => void window.dispatchEvent(new Event('focus'))).catch(() => {});
      if (killAfterMs !== null) {
        await pause(killAfterMs);
        await stopWorkers(await devtools());
        await again();
      }
      const isDone = await Promise.race([sending, pause(WITHIN_MS, false)]);
      await other?.close();
      return isDone;
    },
    async set(next) {
      fault = next;
      await set(next);
    },
    async setRoom(isLeft) {
      const session = await devtools();
      await session.send('Storage.overrideQuotaForOrigin', {
        origin: line.url,
        ...(isLeft ? {} : { quotaSize: FULL_BYTES }),
      });
      await session.detach();
    },
    async emptyCaches() {
      await page.evaluate(async () => {
        for (const name of await caches.keys()) await caches.delete(name);
      });
    },
    visits: () => page.evaluate(() => outboxOfTest.visits()),
    close: () => context.close(),
  };
}

// Where the caches were emptied and the line is broken, there is no page: the outbox is read from another of the same origin.
async function openPage(context: BrowserContext, timeout = 15_000): Promise<Page> {
  const page = await context.newPage();
  for (const address of ['/field', '/favicon.svg']) {
    const isThere = await page.goto(address, { waitUntil: 'commit', timeout }).then(
      () => true,
      () => false,
    );
    if (isThere) return page;
  }
  await page.close();
  throw new Error('no page of the registry opens');
}

async function signIn(context: BrowserContext, { url, cookie }: Line): Promise<void> {
  const [name = '', value = ''] = cookie().split(/=(.*)/);
  if (name === '') return context.clearCookies();
  return context.addCookies([{ name, value: value.replace(/;.*/, ''), url }]);
}

// A page does not meddle with what its service worker sees, so an answer that is no answer is a lost one here.
const faultOf = (fault: LineFault) =>
  fault.kind === 'portal' || fault.kind === 'unavailable' || fault.kind === 'twice'
    ? ({ kind: 'lose-answer', to: 'POST /field/visits' } as const)
    : fault.kind === 'answers lost'
      ? ({ kind: 'lose-answer', to: 'POST /uploads' } as const)
      : FAULT_OF_LINE(fault);

type Session = Awaited<ReturnType<BrowserContext['newCDPSession']>>;

async function stopWorkers(session: Session): Promise<void> {
  await session.send('ServiceWorker.enable').catch(() => {});
  await session.send('ServiceWorker.stopAllWorkers').catch(() => {});
  await session.detach().catch(() => {});
}
