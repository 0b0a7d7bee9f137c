// In a page: sends what is in the outbox when the page opens, when it comes to the front, and when the network is back.
// Where the browser has Background Sync, the service worker sends also while no page is open.
import { readFetched, type PhoneStore } from './phone-store.ts';
import { notifyPhone } from './phone-changes.ts';
import { sendOutbox, type Stopped } from './send-outbox.ts';

export const SYNC_TAG = 'outbox';

/** Undefined: nobody has signed in on this phone. */
export async function sendNow(store: PhoneStore): Promise<Stopped | undefined> {
  const person = (await readFetched(store))?.person;
  if (person === undefined) return undefined;
  const stopped = await sendOutbox(store, person.id, (address, init) => fetch(address, init));
  notifyPhone(stopped === 'done' ? 'sent' : 'outbox');
  return stopped;
}

/** Calls `send` at each sign that there may be a network. Returns how to stop. */
export function atEachSignOfNetwork(send: () => void): () => void {
  const whenShown = () => {
    if (document.visibilityState === 'visible') send();
  };
  window.addEventListener('online', send);
  window.addEventListener('focus', send);
  document.addEventListener('visibilitychange', whenShown);
  return () => {
    window.removeEventListener('online', send);
    window.removeEventListener('focus', send);
    document.removeEventListener('visibilitychange', whenShown);
  };
}

/** Asks the browser to wake the service worker when the network is back. Not every browser can. */
export async function askForSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/field');
  const sync: unknown = registration === undefined ? undefined : Reflect.get(registration, 'sync');
  if (sync instanceof Object && 'register' in sync && typeof sync.register === 'function')
    await Promise.resolve(Reflect.apply(sync.register, sync, [SYNC_TAG])).catch(() => {});
}
