// A browser as somebody uses it, with few verbs. Each waits until the page lets it be done, and throws with what the
// page reads when it does not.
import { addressOf, findElement, isHydrated, isSet, readText, setValue, type Kind } from './in-page.ts';
import { isHandle, type Handle, type Protocol } from './protocol.ts';

const WITHIN_MS = 30_000;
const PAUSE_MS = 100;
const ENTER = '\uE007';

export type Browser = ReturnType<typeof browserOn>;

export function browserOn(protocol: Protocol, origin: string) {
  const run = (fn: (...args: never[]) => unknown, ...args: (string | Handle)[]) => protocol.run(String(fn), ...args);

  /** Tries until it returns something else than null. */
  async function until<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
    let last = '';
    for (const end = Date.now() + WITHIN_MS; Date.now() < end; await pause()) {
      // The page may go while it is asked.
      const found = await attempt().catch((error: Error) => {
        last = ` (${error.message})`;
        return null;
      });
      if (found !== null) return found;
    }
    const page = await Promise.all([run(addressOf), run(readText, 'body', '')]).catch(() => ['no page']);
    throw new Error(`not in time: ${what}${last}. The page ${page.map(String).join(' reads: ').slice(0, 3000)}`);
  }

  const element = (kind: Kind, name: string) =>
    until(`${kind} “${name}”`, async () => {
      const found = await run(findElement, kind, name);
      return isHandle(found) ? found : null;
    });

  return {
    async open(path: string): Promise<void> {
      await protocol.navigate(origin + path);
      await this.isReady();
    },
    /** Waits until its scripts have the page. */
    isReady: () => until('the scripts have the page', async () => ((await run(isHydrated)) === true ? true : null)),
    click: (kind: 'link' | 'button' | 'field', name: string) =>
      until(`a click on ${kind} “${name}”`, async () => {
        await protocol.click(await element(kind, name));
        return true;
      }),
    /** Into the field of this label. Of a list to choose from: the words of the choice. */
    async type(name: string, text: string): Promise<void> {
      const field = await element('field', name);
      if ((await run(isSet, field)) !== true) await protocol.type(field, text.replaceAll('\n', ENTER));
      else if (!String(await run(setValue, field, text)).trim()) throw new Error(`${name} does not take ${text}`);
    },
    choose: async (name: string, file: string) => protocol.choose(await element('file', name), file),
    /** Waits until an element of this selector reads so. */
    see: (words: string, selector = 'body') =>
      until(`“${words}” in ${selector}`, async () => String(await run(readText, selector, words)) || null),
    /** Waits for the address. */
    isAt: (address: string) =>
      until(`to be at ${address}`, async () => ((await run(addressOf)) === address ? true : null)),
    /** Waits until a function of the page says so. */
    is: (fn: () => boolean) => until(fn.name, async () => ((await run(fn)) === true ? true : null)),
    clearCookies: protocol.clearCookies,
    takeErrors: protocol.takeErrors,
    stop: protocol.stop,
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
