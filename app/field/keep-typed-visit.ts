// Keeps on the phone a visit whose form could not be sent. The page loads this while it has a line.
import type { SetAnswer } from '#app/recording/set-answer.ts';
import { PHOTOS_MAX, TOO_MANY_PHOTOS } from '#app/visits/visit.ts';
import { noteOutbox } from './has-outbox.ts';
import { keepVisit, noteAttempt, type NewPhoto } from './outbox.ts';
import { notifyPhone } from './phone-changes.ts';
import { isNoRoom, openPhoneStore, type Person } from './phone-store.ts';
import { judgePhoto } from '#app/ui/judge-photo.ts';
import { newPhoto } from './draft-photos.ts';
import { askForSync } from './send-soon.ts';
import { answerTo, fieldsOf, NO_ROOM, readTyped, type OpenedVisit } from './typed-visit.ts';

const NOT_HERE = 'This browser keeps no visits: it may be a private window. What you typed is still here.';

/** Undefined: it is kept. Otherwise what the form shows. */
export async function keepTypedVisit(
  loaded: OpenedVisit,
  person: Person,
  { form, files }: { form: FormData; files: readonly File[] },
): Promise<SetAnswer | undefined> {
  const now = new Date();
  const read = readTyped(form, { zone: loaded.zone, now, longestIntervalDays: loaded.longestIntervalDays });
  if (read.input === undefined) return answerTo(read);
  if (files.length > PHOTOS_MAX) return { ...answerTo(read), fileErrors: { photo: TOO_MANY_PHOTOS } };
  // It may have arrived: under this id the registry records it once.
  const id = String(form.get('form_key'));
  const { rego, vin, vehicleId } = loaded;
  try {
    const store = await openPhoneStore();
    const photos = await Promise.all(files.map(judgedPhoto));
    await keepVisit(
      store,
      { id, rego, vin, vehicleId, fields: fieldsOf(form) },
      { state: 'unsent', person, now, photos },
    );
    await noteAttempt(store, id);
    store.close();
  } catch (error) {
    return { ...answerTo(read), failure: { sentence: isNoRoom(error) ? NO_ROOM : NOT_HERE } };
  }
  noteOutbox();
  notifyPhone('outbox');
  void navigator.storage?.persist?.().catch(() => false);
  void askForSync();
  return undefined;
}

// One that was chosen a moment ago is not judged yet. The outbox says of a refused one that it is left out.
async function judgedPhoto(file: File): Promise<NewPhoto> {
  const judged = await judgePhoto(file, 'photo');
  return 'photo' in judged
    ? { ...(await newPhoto(judged.photo)), id: crypto.randomUUID() }
    : { id: crypto.randomUUID(), name: file.name, type: '', bytes: new Uint8Array(), refusal: judged.refusal };
}
