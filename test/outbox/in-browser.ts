// What the random runs put into the page of a browser: the product's own outbox, by names that a test can call.
import './without-eval.ts';
import { deleteVisit, keepVisit, listVisits, photosOf, sendAgain, type TypedVisit } from '#app/field/outbox.ts';
import { notifyPhone } from '#app/field/phone-changes.ts';
import { openPhoneStore, type KeptVisit, type Person } from '#app/field/phone-store.ts';
import { sendOutbox } from '#app/field/send-outbox.ts';
import { importVisit, readVisitFile, visitFile } from '#app/field/visit-file.ts';

type Photo = { id: string; name: string; base64: string };
export type Kept = {
  visit: TypedVisit;
  state: 'draft' | 'unsent';
  person: Person;
  now: string;
  photos: Photo[] | undefined;
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);

function unlessFull(error: unknown): false {
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return false;
  throw error;
}

const store = openPhoneStore();
const outbox = {
  async keep({ visit, state, person, now, photos }: Kept): Promise<boolean> {
    const isKept = await keepVisit(await store, visit, {
      state,
      person,
      now: new Date(now),
      photos: photos?.map(({ id, name, base64 }) => ({
        id,
        name,
        blob: new Blob([bytesOf(base64)], { type: 'image/jpeg' }),
      })),
    }).catch(unlessFull);
    notifyPhone('outbox');
    return isKept;
  },
  remove: async (id: string): Promise<void> => deleteVisit(await store, id),
  again: async (id: string): Promise<unknown> => sendAgain(await store, id).catch(unlessFull),
  async file(id: string): Promise<string | null> {
    const visit = await (await store).get('visits', id);
    return visit === undefined ? null : (await visitFile(await store, visit)).text();
  },
  async openFile([text, person]: [string, Person]): Promise<unknown> {
    const read = await readVisitFile(new Blob([text]));
    return read === undefined ? undefined : importVisit(await store, read, person, 'yes').catch(unlessFull);
  },
  send: async (personId: string): Promise<boolean> =>
    (await sendOutbox(await store, personId, (address, init) => fetch(address, init))) === 'done',
  async visits(): Promise<{ visit: KeptVisit; photos: number }[]> {
    const visits = await listVisits(await store);
    return Promise.all(
      visits.map(async (visit) => ({ visit, photos: (await photosOf(await store, visit.id)).length })),
    );
  },
};
export type InBrowser = typeof outbox;
Object.assign(globalThis, { outboxOfTest: outbox });
