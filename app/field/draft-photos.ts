// The photos of a form with reception, beside its draft (ui/drafts.ts): a phone may end the browser while its camera is
// open. They stand in the phone's database under the draft's key, and go when the draft is gone.
import { isJudged, judgedFile } from '#app/ui/judge-photo.ts';
import { isDraftKey, readDraft } from '#app/ui/drafts.ts';
import { photosOf, putPhotos, type NewPhoto } from './outbox.ts';
import { openPhoneStore, type PhoneStore } from './phone-store.ts';

const ids = new WeakMap<File, string>();

/** Those that were chosen before the page was loaded again; none where the browser keeps nothing. */
export async function readDraftPhotos(draftKey: string): Promise<File[]> {
  const store = await openPhoneStore().catch(() => undefined);
  if (store === undefined) return [];
  await dropOldDraftPhotos(store).catch(() => {});
  const photos = await photosOf(store, draftKey).finally(() => store.close());
  return photos.map(({ id, name, type, bytes }) => {
    const file = judgedFile(bytes, name, type);
    ids.set(file, id);
    return file;
  });
}

/** Keeps these, once they are judged, and no others. What finds no room is uploaded all the same. */
export async function keepDraftPhotos(draftKey: string, files: readonly File[]): Promise<void> {
  const photos = await Promise.all(files.filter(isJudged).map(newPhoto));
  const store = await openPhoneStore();
  const tx = store.transaction('photos', 'readwrite');
  await putPhotos(tx.store, draftKey, photos);
  await tx.done.finally(() => store.close());
}

export async function newPhoto(file: File): Promise<NewPhoto> {
  const id = ids.get(file) ?? crypto.randomUUID();
  ids.set(file, id);
  return { id, name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Deletes those whose draft was sent, was deleted at a sign-out, or is too old. */
export async function dropOldDraftPhotos(store: PhoneStore): Promise<void> {
  const tx = store.transaction('photos', 'readwrite');
  // Without their bytes.
  for (let at = await tx.store.index('visit').openKeyCursor(); at !== null; at = await at.continue())
    if (isDraftKey(at.key) && readDraft(at.key) === undefined) await tx.store.delete(at.primaryKey);
  await tx.done;
}
