// Sends the visits on this phone, one at a time: first each photo, then the visit. Any answer but the registry's own
// (no network, the login page of a hotel's Wi-Fi, a proxy) leaves the visit as it is. Runs in a page, in the service
// worker and in tests.
import { z } from 'zod';
import { isSentToSignIn } from '#app/platform/http/own-answer.ts';
import type { SentAnswer } from './field.ts';
import { nextUnsent, noteAnswer, noteAttempt, notePhoto, photosOf } from './outbox.ts';
import { isNoRoom, type KeptPhoto, type KeptVisit, type PhoneStore } from './phone-store.ts';

/** Why sending stopped. 'done': all that could be sent was answered. 'no room': the phone cannot note what it did. */
export type Stopped = 'done' | 'no answer' | 'signed out' | 'somebody else' | 'no room';
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

type Outcome = { answer: SentAnswer } | { stopped: Stopped };

/** Where the browser has locks, only one tab or worker sends at a time. */
export async function sendOutbox(store: PhoneStore, personId: string, fetch: Fetch): Promise<Stopped> {
  const { locks } = globalThis.navigator;
  return 'request' in (locks ?? {})
    ? locks.request(`outbox ${store.name}`, () => unlessFull(sendAll(store, personId, fetch)))
    : unlessFull(sendAll(store, personId, fetch));
}

// What was sent and could not be noted is sent again, and recorded once.
const unlessFull = (sending: Promise<Stopped>): Promise<Stopped> =>
  sending.catch((error: unknown) => {
    if (isNoRoom(error)) return 'no room';
    throw error;
  });

async function sendAll(store: PhoneStore, personId: string, fetch: Fetch): Promise<Stopped> {
  const tried = new Set<string>();
  for (;;) {
    const visit = await nextUnsent(store, personId, tried);
    if (visit === undefined) return 'done';
    tried.add(visit.id);
    const outcome = await sendVisit(store, visit, fetch);
    if ('stopped' in outcome) return outcome.stopped;
    const { answer } = outcome;
    if (!answer.recorded && answer.reason === 'not-yours') return 'somebody else';
    await noteAnswer(store, visit.id, { revision: visit.revision, answer });
  }
}

async function sendVisit(store: PhoneStore, visit: KeptVisit, fetch: Fetch): Promise<Outcome> {
  // A second time where the registry no longer has a photo, as it was uploaded more than a day ago.
  for (let isLast = false; ; isLast = true) {
    const uploads: string[] = [];
    for (const photo of await photosOf(store, visit.id)) {
      const uploaded = photo.uploadId === null ? await upload(photo, fetch) : { uploadId: photo.uploadId };
      if ('answer' in uploaded || 'stopped' in uploaded) return uploaded;
      if (photo.uploadId === null) await notePhoto(store, photo.id, uploaded);
      // A visit never waits for a bad photo: it is sent without it, and says so.
      if ('uploadId' in uploaded) uploads.push(uploaded.uploadId);
    }
    await noteAttempt(store, visit.id);
    const outcome = await post(visit, uploads, fetch);
    const isFileMissing = 'answer' in outcome && !outcome.answer.recorded && outcome.answer.reason === 'file-missing';
    if (!isFileMissing || isLast) return outcome;
    for (const { id } of await photosOf(store, visit.id)) await notePhoto(store, id, { uploadId: null });
  }
}

const uploadedSchema = z.object({ id: z.string() });
const problemSchema = z.object({ code: z.string(), detail: z.string() });

async function upload(
  { name, type, bytes, refusal }: KeptPhoto,
  fetch: Fetch,
): Promise<{ uploadId: string } | { refusal: string } | Outcome> {
  if (refusal !== undefined) return { refusal };
  const body = new FormData();
  body.append('image_file', new Blob([bytes], { type }), name);
  const said = await ask(fetch, '/uploads', body);
  if ('stopped' in said) return said;
  const uploaded = uploadedSchema.safeParse(said.json);
  if (said.status === 201 && uploaded.success) return { uploadId: uploaded.data.id };
  const problem = problemSchema.safeParse(said.json);
  if (!problem.success) return { stopped: 'no answer' };
  const { code, detail } = problem.data;
  if (code === 'too-many-files') return refused(code, detail);
  return said.status === 413 || said.status === 422 ? { refusal: detail } : { stopped: 'no answer' };
}

const answerSchema: z.ZodType<SentAnswer> = z.discriminatedUnion('recorded', [
  z.object({
    recorded: z.literal(true),
    visitId: z.string(),
    state: z.enum(['open', 'counts', 'partial', 'waits', 'accepted', 'set-aside', 'taken-over']),
    word: z.string(),
    words: z.string(),
    isAgain: z.boolean(),
    isSame: z.boolean(),
    by: z.string().nullable(),
  }),
  z.object({
    recorded: z.literal(false),
    reason: z.string(),
    sentence: z.string(),
    errors: z.record(z.string(), z.string()),
  }),
]);

async function post(visit: KeptVisit, uploads: readonly string[], fetch: Fetch): Promise<Outcome> {
  const body = new URLSearchParams(visit.fields);
  for (const [name, value] of Object.entries({
    rego: visit.rego,
    vin: visit.vin,
    vehicle_id: visit.vehicleId,
    capture_id: visit.id,
    captured_at: visit.capturedAt,
    captured_by: visit.capturedBy.id,
    from_file: visit.capturedBy.id === visit.person.id ? '' : 'yes',
    was_there: visit.wasThere ?? '',
    form_version: String(visit.formVersion),
  }))
    body.set(name, value);
  body.delete('photo');
  for (const id of uploads) body.append('photo', id);
  const said = await ask(fetch, '/field/visits', body);
  if ('stopped' in said) return said;
  const answer = answerSchema.safeParse(said.json);
  if (answer.success) return { answer: answer.data };
  const problem = problemSchema.safeParse(said.json);
  return (said.status === 400 || said.status === 413) && problem.success
    ? refused(problem.data.code, problem.data.detail)
    : { stopped: 'no answer' };
}

const refused = (reason: string, sentence: string): Outcome => ({
  answer: { recorded: false, reason, sentence, errors: {} },
});

async function ask(
  fetch: Fetch,
  address: string,
  body: FormData | URLSearchParams,
): Promise<{ status: number; json: unknown } | { stopped: Stopped }> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      body,
      headers: { accept: 'application/json' },
    });
    if (isSentToSignIn(answer)) return { stopped: 'signed out' };
    return { status: answer.status, json: await answer.json() };
  } catch {
    return { stopped: 'no answer' };
  }
}
