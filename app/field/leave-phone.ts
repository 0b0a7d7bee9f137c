// What a sign-out takes from the phone: the trucks of the person who leaves, and the photos of their drafts. Visits
// stay: they may not be sent yet.
import { dropOldDraftPhotos } from './draft-photos.ts';
import { notifyPhone } from './phone-changes.ts';
import { keepFetched, openPhoneStore, readFetched, type PhoneStore } from './phone-store.ts';

/** Weighbridges, rules and the zone stay, too: a visit that is not sent yet is shown by them. */
export async function forgetTrucks(store: PhoneStore): Promise<void> {
  const fetched = await readFetched(store);
  if (fetched !== undefined) await keepFetched(store, { ...fetched, trucks: [], missing: [], visits: [] });
  await store.clear('regos');
}

/** Where the browser allows no database there is nothing to take. */
export async function leavePhone(): Promise<void> {
  const store = await openPhoneStore().catch(() => undefined);
  if (store === undefined) return;
  await Promise.all([forgetTrucks(store), dropOldDraftPhotos(store)]).finally(() => store.close());
  notifyPhone('outbox');
}
