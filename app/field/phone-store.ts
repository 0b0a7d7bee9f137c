// What stands in the phone's own database (IndexedDB), of this browser only: what was fetched, and the outbox. The
// outbox is never deleted by a sign-out, an update of the program or an emptied cache.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { FieldData, SentAnswer } from './field.ts';

export type Person = { id: string; name: string };

/**
 * A visit on this phone. `draft`: not finished. `unsent`: to be sent. `recorded` and `refused` by the registry:
 * `answer` says what became of it. A refused one may be changed, or sent again as it is.
 */
export type KeptVisit = {
  /** Made here; the registry records a visit with the same id once. */
  id: string;
  state: 'draft' | 'unsent' | 'recorded' | 'refused';
  /** Who sees and sends it. */
  person: Person;
  /** On whose phone it was captured: somebody else than `person` if it came as a file. */
  capturedBy: Person;
  /** Whether the one who opened its file was at the truck, and read rego and VIN. Missing: it came from no file. */
  wasThere?: 'yes' | 'no';
  /** By this phone's clock, ISO 8601. */
  capturedAt: string;
  rego: string;
  vin: string;
  vehicleId: string;
  formVersion: number;
  /** As the form sends them. */
  fields: [name: string, value: string][];
  /** Counts its changes. */
  revision: number;
  /** It may have arrived; false: never, for sure. */
  isSent: boolean;
  answer: SentAnswer | null;
  /** Recorded in other words: it was changed after it was sent, or sent from two phones. */
  isChangedSince: boolean;
};
/** `uploadId`: the registry has it for a day, until the visit is sent. */
export type KeptPhoto = { id: string; visitId: string; name: string; blob: Blob; uploadId: string | null };
/** `fetchedAt`: by this phone's clock. */
export type Fetched = FieldData & { fetchedAt: string };
/** A truck that somebody keeps on the phone; `isStarred`: to be at the top. */
export type KeptRego = { rego: string; isStarred: boolean };

interface Schema extends DBSchema {
  visits: { key: string; value: KeptVisit };
  photos: { key: string; value: KeptPhoto; indexes: { visit: string } };
  fetched: { key: string; value: Fetched };
  regos: { key: string; value: KeptRego };
}
export type PhoneStore = IDBPDatabase<Schema>;

/** Whether a write failed because the phone is full. */
export const isNoRoom = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

const NAME = 'field';

/** `name`: of another database, for tests. */
export const openPhoneStore = (name = NAME): Promise<PhoneStore> =>
  openDB<Schema>(name, 1, {
    upgrade(db) {
      db.createObjectStore('visits', { keyPath: 'id' });
      db.createObjectStore('photos', { keyPath: 'id' }).createIndex('visit', 'visitId');
      db.createObjectStore('fetched');
      db.createObjectStore('regos', { keyPath: 'rego' });
    },
  });

/** What was fetched last for any person on this phone. */
export const readFetched = (store: PhoneStore): Promise<Fetched | undefined> => store.get('fetched', 'last');
export const keepFetched = async (store: PhoneStore, fetched: Fetched): Promise<void> =>
  void (await store.put('fetched', fetched, 'last'));
