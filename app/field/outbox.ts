// The visits on this phone. Each write is one transaction: a visit is there whole, with its photos, or not at all.
import { FORM_VERSION, type SentAnswer } from './field.ts';
import {
  withBytes,
  type KeptPhoto,
  type KeptVisit,
  type LeftOut,
  type Person,
  type PhoneStore,
  type StoredPhoto,
} from './phone-store.ts';

export type TypedVisit = Pick<KeptVisit, 'id' | 'rego' | 'vin' | 'vehicleId' | 'fields'>;
export type NewPhoto = Pick<KeptPhoto, 'id' | 'name' | 'type' | 'bytes' | 'refusal'>;

/** All of them, those captured last first. */
export async function listVisits(store: PhoneStore): Promise<KeptVisit[]> {
  return (await store.getAll('visits')).toSorted((a, b) => b.capturedAt.localeCompare(a.capturedAt));
}

/** The next to be sent: of what `personId` has to send, the one captured first. `after`: ids that were tried. */
export async function nextUnsent(
  store: PhoneStore,
  personId: string,
  after: ReadonlySet<string>,
): Promise<KeptVisit | undefined> {
  return (await listVisits(store)).findLast(
    ({ id, state, person }) => state === 'unsent' && person.id === personId && !after.has(id),
  );
}

/**
 * Keeps a visit as it is typed: as a draft, which is not sent, or to be sent. A recorded one never changes: false.
 * `photos`: those that it has from then on; undefined leaves them.
 */
export async function keepVisit(
  store: PhoneStore,
  typed: TypedVisit,
  {
    state,
    person,
    now,
    photos,
  }: { state: 'draft' | 'unsent'; person: Person; now: Date; photos?: readonly NewPhoto[] | undefined },
): Promise<boolean> {
  const tx = store.transaction(['visits', 'photos'], 'readwrite');
  const visits = tx.objectStore('visits');
  const before = await visits.get(typed.id);
  if (before?.state === 'recorded') return false;
  await visits.put({
    capturedBy: person,
    capturedAt: now.toISOString(),
    isSent: false,
    ...before,
    ...(isClockWrong(before) ? { capturedAt: now.toISOString() } : {}),
    ...typed,
    state,
    person: before?.person ?? person,
    formVersion: FORM_VERSION,
    revision: (before?.revision ?? 0) + 1,
    answer: null,
    isChangedSince: false,
  });
  if (photos !== undefined) await putPhotos(tx.objectStore('photos'), typed.id, photos);
  await tx.done;
  return true;
}

// Refused for the phone's clock, it is captured again by the clock that was put right.
const isClockWrong = (before: KeptVisit | undefined): boolean =>
  before?.answer?.recorded === false && before.answer.reason === 'clock-wrong';

type PhotoStore = {
  index(name: 'visit'): { getAll(visitId: string): Promise<StoredPhoto[]> };
  delete(id: string): Promise<void>;
  put(photo: KeptPhoto): Promise<string>;
};

/** Puts `photos` in place of those that `visitId` has. */
export async function putPhotos(store: PhotoStore, visitId: string, photos: readonly NewPhoto[]): Promise<void> {
  const before = await store.index('visit').getAll(visitId);
  const kept = new Set(photos.map(({ id }) => id));
  for (const { id } of before) if (!kept.has(id)) await store.delete(id);
  for (const photo of photos)
    if (!before.some(({ id }) => id === photo.id)) await store.put({ ...photo, visitId, uploadId: null });
}

export const photosOf = async (store: PhoneStore, visitId: string): Promise<KeptPhoto[]> =>
  Promise.all((await store.getAllFromIndex('photos', 'visit', visitId)).map(withBytes));

/** Those of `photos` that cannot be sent. */
export const leftOutOf = (photos: readonly StoredPhoto[]): LeftOut[] =>
  photos.flatMap(({ name, refusal }) => (refusal === undefined ? [] : [{ name, why: refusal }]));

export const leftOutWords = (leftOut: readonly LeftOut[] = []): string =>
  leftOut.map(({ name, why }) => `Without ${name}: ${why}`).join(' ');

export async function deleteVisit(store: PhoneStore, id: string): Promise<void> {
  const tx = store.transaction(['visits', 'photos'], 'readwrite');
  await tx.objectStore('visits').delete(id);
  for (const key of await tx.objectStore('photos').index('visit').getAllKeys(id))
    await tx.objectStore('photos').delete(key);
  await tx.done;
}

/** What was captured before anybody signed in on this phone is theirs who signs in first. */
export async function adoptVisits(store: PhoneStore, person: Person): Promise<void> {
  const tx = store.transaction('visits', 'readwrite');
  for (const visit of await tx.store.getAll())
    if (visit.person.id === '') {
      const capturedBy = visit.capturedBy.id === '' ? person : visit.capturedBy;
      await tx.store.put({ ...visit, person, capturedBy });
    }
  await tx.done;
}

/** To be sent again as it is: a refused one. */
export const sendAgain = (store: PhoneStore, id: string): Promise<void> =>
  change(store, id, (visit) => (visit.state === 'refused' ? { ...visit, state: 'unsent', answer: null } : visit));

/** From here on it may have arrived, whatever the answer. */
export const noteAttempt = (store: PhoneStore, id: string): Promise<void> =>
  change(store, id, (visit) => ({ ...visit, isSent: true }));

/** `revision`: the one that was sent. The photos of a recorded visit go; those of a refused one stay. */
export async function noteAnswer(
  store: PhoneStore,
  id: string,
  { revision, answer }: { revision: number; answer: SentAnswer },
): Promise<void> {
  const tx = store.transaction(['visits', 'photos'], 'readwrite');
  const visit = await tx.objectStore('visits').get(id);
  // Deleted meanwhile, or changed after it was sent: then it is sent again.
  if (visit !== undefined && (answer.recorded || visit.revision === revision)) {
    const leftOut = leftOutOf(await tx.objectStore('photos').index('visit').getAll(id));
    await tx.objectStore('visits').put({
      ...visit,
      ...(answer.recorded && leftOut.length > 0 ? { leftOut } : {}),
      state: answer.recorded ? 'recorded' : 'refused',
      answer,
      isChangedSince: answer.recorded && (!answer.isSame || visit.revision !== revision),
    });
    if (answer.recorded)
      for (const key of await tx.objectStore('photos').index('visit').getAllKeys(id))
        await tx.objectStore('photos').delete(key);
  }
  await tx.done;
}

/** `uploadId` null: the registry has it no longer. `refusal`: the registry does not take it. */
export async function notePhoto(
  store: PhoneStore,
  photoId: string,
  noted: { uploadId: string | null } | { refusal: string },
): Promise<void> {
  const tx = store.transaction('photos', 'readwrite');
  const photo = await tx.store.get(photoId);
  if (photo !== undefined) await tx.store.put({ ...photo, ...noted });
  await tx.done;
}

async function change(store: PhoneStore, id: string, to: (visit: KeptVisit) => KeptVisit): Promise<void> {
  const tx = store.transaction('visits', 'readwrite');
  const visit = await tx.store.get(id);
  if (visit !== undefined) await tx.store.put(to(visit));
  await tx.done;
}
