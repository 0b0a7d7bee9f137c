// What /field shows: what stands in the phone's database, read again after each change, here or in another tab.
import { useCallback, useEffect, useRef, useState } from 'react';
import { readLookedUp, type LookedUp } from '#app/vehicles/looked-up.ts';
import { fetchField } from './fetch-field.ts';
import { followLog } from './follow-log.ts';
import { noteOutbox } from './has-outbox.ts';
import { adoptVisits, leftOutOf, listVisits } from './outbox.ts';
import { notifyPhone, onPhoneChange } from './phone-changes.ts';
import {
  isNoRoom,
  keepFetched,
  openPhoneStore,
  readFetched,
  type Fetched,
  type KeptRego,
  type KeptVisit,
  type LeftOut,
  type Person,
  type PhoneStore,
} from './phone-store.ts';
import type { Stopped } from './send-outbox.ts';
import { askForSync, atEachSignOfNetwork, sendNow } from './send-soon.ts';

export type OnThisPhone = {
  store: PhoneStore;
  /** When it was read, by this phone's clock: at most a minute ago. */
  now: Date;
  /** The registry's; before anything was fetched the phone's own. */
  zone: string;
  /** Undefined: nobody has signed in on this phone yet. */
  fetched: Fetched | undefined;
  /** Those of the person who signed in last. */
  visits: KeptVisit[];
  /** Of the visits that are not recorded: what is sent with them, and what is left out. */
  photos: ReadonlyMap<string, { count: number; bytes: number; leftOut: LeftOut[] }>;
  /** Who else has visits here that are not sent, and how many. */
  others: readonly { name: string; count: number }[];
  regos: KeptRego[];
  lookedUp: LookedUp[];
};
/** `no answer`: there is no network, or the registry does not answer. */
export type Signal = 'unknown' | 'signed in' | 'signed out' | 'no answer';

export type Field = {
  phone: OnThisPhone | 'opening' | 'not here';
  signal: Signal;
  /** The phone has no room to note what it sent. */
  isFull: boolean;
  /** Reads the phone's database again, and tells the other tabs. */
  changed: () => Promise<void>;
  /** Fetches what the phone holds again, and sends what waits. Returns what was fetched; undefined: no answer. */
  refresh: () => Promise<Fetched | undefined>;
};

export const zoneOf = (fetched: Fetched | undefined): string =>
  fetched?.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
const MINUTE_MS = 60_000;
const RETRY_MS = 10_000;
export const NOBODY: Person = { id: '', name: '' };
export const personOf = ({ fetched }: Pick<OnThisPhone, 'fetched'>): Person => fetched?.person ?? NOBODY;

export function useField(): Field {
  useEffect(() => followLog(() => {}), []);
  const [store, setStore] = useState<PhoneStore | 'not here'>();
  const [phone, setPhone] = useState<OnThisPhone>();
  const [signal, setSignal] = useState<Signal>('unknown');
  const [isFull, setIsFull] = useState(false);
  const hasUnsent = useRef(false);
  useEffect(() => {
    hasUnsent.current = phone?.visits.some(({ state }) => state === 'unsent') === true;
  }, [phone]);
  useEffect(() => {
    openPhoneStore().then(setStore, () => setStore('not here'));
  }, []);
  const read = useCallback(async () => {
    if (typeof store === 'object') setPhone(await readPhone(store));
  }, [store]);
  const changed = useCallback(async () => {
    notifyPhone('outbox');
    await read();
  }, [read]);
  const refresh = useCallback(async () => {
    if (typeof store !== 'object') return undefined;
    const regos = (await store.getAll('regos')).map(({ rego }) => rego);
    const answer = await fetchField(regos);
    setSignal(answer.signal);
    if (answer.fetched !== undefined) setIsFull((await keepAndSend(store, answer.fetched)) === 'no room');
    await changed();
    return answer.fetched;
  }, [store, changed]);
  useEffect(() => {
    if (typeof store !== 'object') return undefined;
    const again = () => void refresh();
    const begin = async () => {
      setPhone(await readPhone(store));
      await refresh();
    };
    void begin();
    void askForSync();
    const stops = [onPhoneChange(() => void read()), atEachSignOfNetwork(again)];
    const eachMinute = setInterval(() => void read(), MINUTE_MS);
    // Chromium does not notice that the line is back on a page that was opened without one.
    const retry = setInterval(() => {
      if (hasUnsent.current) again();
    }, RETRY_MS);
    const whenOff = () => setSignal('no answer');
    window.addEventListener('offline', whenOff);
    return () => {
      for (const stop of stops) stop();
      clearInterval(eachMinute);
      clearInterval(retry);
      window.removeEventListener('offline', whenOff);
    };
  }, [store, read, refresh]);
  return { phone: store === 'not here' ? store : (phone ?? 'opening'), signal, isFull, changed, refresh };
}

async function keepAndSend(store: PhoneStore, fetched: Fetched): Promise<Stopped | undefined> {
  try {
    await keepFetched(store, fetched);
    await adoptVisits(store, fetched.person);
  } catch (error) {
    // What waits is sent all the same.
    if (!isNoRoom(error)) throw error;
  }
  return sendNow(store);
}

async function readPhone(store: PhoneStore): Promise<OnThisPhone> {
  const fetched = await readFetched(store);
  const all = await listVisits(store);
  if (all.length > 0) noteOutbox();
  const me = personOf({ fetched });
  const waiting = all.filter(({ state, person }) => person.id !== me.id && state !== 'recorded');
  const photos = [...Map.groupBy(await store.getAll('photos'), ({ visitId }) => visitId)].map(([id, all]) => {
    const sent = all.filter(({ refusal }) => refusal === undefined);
    const bytes = sent.reduce((sum, photo) => sum + ('blob' in photo ? photo.blob.size : photo.bytes.length), 0);
    return [id, { count: sent.length, bytes, leftOut: leftOutOf(all) }] as const;
  });
  return {
    store,
    now: new Date(),
    zone: zoneOf(fetched),
    fetched,
    visits: all.filter(({ person }) => person.id === me.id),
    photos: new Map(photos),
    others: [...Map.groupBy(waiting, ({ person }) => person.name)].map(([name, { length }]) => ({
      name,
      count: length,
    })),
    regos: await store.getAll('regos'),
    lookedUp: readLookedUp(),
  };
}
