// A visit as a file, with its photos, for another browser or for the office. It keeps its id, so it is recorded once.
import { z } from 'zod';
import type { KeptVisit, Person, PhoneStore } from './phone-store.ts';
import { photosOf } from './outbox.ts';

const FORMAT = 'truck-scale-registry-visit';
export const VISIT_FILE_MAX_BYTES = 80 * 1024 * 1024;

const personSchema = z.object({ id: z.string().max(40), name: z.string().max(200) });
const fileSchema = z.object({
  format: z.literal(FORMAT),
  id: z.uuid(),
  capturedBy: personSchema,
  capturedAt: z.iso.datetime(),
  rego: z.string().max(20),
  vin: z.string().max(30),
  vehicleId: z.string().max(40),
  formVersion: z.int(),
  fields: z.array(z.tuple([z.string().max(60), z.string().max(2000)])).max(200),
  photos: z
    .array(z.object({ id: z.uuid(), name: z.string().max(200), type: z.string().max(60), base64: z.base64() }))
    .max(4),
});

/** '{rego}-{day}.visit.json' */
export const visitFileName = ({ rego, capturedAt }: Pick<KeptVisit, 'rego' | 'capturedAt'>): string =>
  `${rego}-${capturedAt.slice(0, 10)}.visit.json`;

export async function visitFile(store: PhoneStore, visit: KeptVisit): Promise<Blob> {
  const { id, capturedBy, capturedAt, rego, vin, vehicleId, formVersion, fields } = visit;
  const photos = (await photosOf(store, id)).flatMap(({ bytes, refusal, ...photo }) =>
    refusal === undefined ? [{ id: photo.id, name: photo.name, type: photo.type, base64: base64Of(bytes) }] : [],
  );
  const file = { format: FORMAT, id, capturedBy, capturedAt, rego, vin, vehicleId, formVersion, fields, photos };
  return new Blob([JSON.stringify(file)], { type: 'application/json' });
}

export type VisitOfFile = z.infer<typeof fileSchema>;
export type Imported = { imported: true; id: string } | { imported: false; sentence: string };

/** The visit of a file; undefined where it is none. Nothing is kept or sent. */
export async function readVisitFile(file: Blob): Promise<VisitOfFile | undefined> {
  return file.size > VISIT_FILE_MAX_BYTES ? undefined : fileSchema.safeParse(jsonOf(await file.text())).data;
}

/** Puts the visit of a file into the outbox of `person`. `wasThere`: their answer; null: it is their own. */
export async function importVisit(
  store: PhoneStore,
  read: VisitOfFile,
  { person, wasThere }: { person: Person; wasThere: 'yes' | 'no' | null },
): Promise<Imported> {
  const { photos, format: _format, ...visit } = read;
  const tx = store.transaction(['visits', 'photos'], 'readwrite');
  if ((await tx.objectStore('visits').get(visit.id)) !== undefined) {
    await tx.done;
    return { imported: false, sentence: `The visit to ${visit.rego} is on this phone already.` };
  }
  await tx.objectStore('visits').put({
    ...visit,
    capturedBy: visit.capturedBy.id === '' ? person : visit.capturedBy,
    ...(wasThere === null ? {} : { wasThere }),
    state: 'unsent',
    person,
    revision: 1,
    // The one who wrote the file may have sent it too.
    isSent: true,
    answer: null,
    isChangedSince: false,
  });
  for (const { base64, ...photo } of photos)
    await tx.objectStore('photos').put({ ...photo, visitId: visit.id, bytes: bytesOf(base64), uploadId: null });
  await tx.done;
  return { imported: true, id: visit.id };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const CHUNK = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += CHUNK)
    text += String.fromCodePoint(...bytes.subarray(from, from + CHUNK));
  return btoa(text);
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
