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
  /** Photos without which it was recorded. Missing: none. */
  leftOut?: readonly LeftOut[];
};
/** A photo that is not sent with its visit, and why, as a sentence. */
export type LeftOut = { name: string; why: string };
/**
 * `visitId`: or the key of a draft (draft-photos.ts). `bytes`: Safari loses the content of a Blob that it keeps.
 * `uploadId`: the registry has it for a day, until the visit is sent. `refusal`: why it cannot be sent.
 */
export type KeptPhoto = {
  id: string;
  visitId: string;
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  uploadId: string | null;
  refusal?: string;
};
/** As an earlier program kept it. */
type PhotoOfBlob = Omit<KeptPhoto, 'type' | 'bytes'> & { blob: Blob };
export type StoredPhoto = KeptPhoto | PhotoOfBlob;

export async function withBytes(photo: StoredPhoto): Promise<KeptPhoto> {
  if (!('blob' in photo)) return photo;
  const { blob, ...same } = photo;
  const bytes = await blob.arrayBuffer().catch(() => undefined);
  return bytes === undefined
    ? { ...same, type: '', bytes: new Uint8Array(), refusal: 'This phone has lost its content.' }
    : { ...same, type: blob.type, bytes: new Uint8Array(bytes) };
}

/** `fetchedAt`: by this phone's clock. */
export type Fetched = FieldData & { fetchedAt: string };
/** A truck that somebody keeps on the phone; `isStarred`: to be at the top. */
export type KeptRego = { rego: string; isStarred: boolean };

interface Schema extends DBSchema {
  visits: { key: string; value: KeptVisit };
  photos: { key: string; value: StoredPhoto; indexes: { visit: string } };
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
