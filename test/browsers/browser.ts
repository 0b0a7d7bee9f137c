// A browser as somebody uses it, with few verbs. Each waits until the page lets it be done, and throws with what the
// page reads when it does not. No package drives both as Debian has them: Playwright's are builds of its own.
import { addressOf, findElement, isHydrated, isSetElseEmptied, readText, setValue, type Kind } from './in-page.ts';
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

  const act = (what: string, kind: Kind, name: string, action: (element: Handle) => Promise<unknown>) =>
    until(`${what} ${kind} “${name}”`, async () => {
      const element = await run(findElement, kind, name);
      if (!isHandle(element)) return null;
      await action(element);
      return true;
    });

  return {
    async open(path: string): Promise<void> {
      await protocol.navigate(origin + path);
      await this.isReady();
    },
    /** Waits until its scripts have the page. */
    isReady: () => until('the scripts have the page', async () => ((await run(isHydrated)) === true ? true : null)),
    click: (kind: 'link' | 'button' | 'field', name: string) => act('a click on', kind, name, protocol.click),
    /** Into the field of this label, in place of what is there. Of a list to choose from: the words of the choice. */
    type: (name: string, text: string) =>
      act(`“${text}” into`, 'field', name, async (field) => {
        if ((await run(isSetElseEmptied, field)) !== true) await protocol.type(field, text.replaceAll('\n', ENTER));
        else if ((await run(setValue, field, text)) === '') throw new Error('it does not take this');
      }),
    choose: (name: string, file: string) => act(`${file} into`, 'file', name, (field) => protocol.choose(field, file)),
    /** Waits until an element of this selector reads so. */
    see: (words: string, selector = 'body') =>
      until(`“${words}” in ${selector}`, async () => String(await run(readText, selector, words)) || null),
    /** Waits for the address. */
    isAt: (address: string) =>
      until(`to be at ${address}`, async () => ((await run(addressOf)) === address ? true : null)),
    /** Waits until a function of the page says so. */
    is: (fn: () => boolean | Promise<boolean>) => until(fn.name, async () => ((await run(fn)) === true ? true : null)),
    clearCookies: protocol.clearCookies,
    takeErrors: protocol.takeErrors,
    stop: protocol.stop,
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
