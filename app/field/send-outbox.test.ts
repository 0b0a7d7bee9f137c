import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keepVisit, listVisits, photosOf, type NewPhoto } from './outbox.ts';
import { openPhoneStore, type PhoneStore } from './phone-store.ts';
import { sendOutbox, type Fetch } from './send-outbox.ts';

const JO = { id: randomUUID(), name: 'Jo' };
const DAMAGED = 'The image is damaged or cannot be read.';
const RECORDED = {
  recorded: true,
  visitId: 'v',
  state: 'counts',
  word: 'Counts',
  words: 'Recorded. It counts.',
  isAgain: false,
  isSame: true,
  by: null,
};

const photo = (name: string, byte: number): NewPhoto => ({
  id: randomUUID(),
  name,
  type: 'image/jpeg',
  bytes: new Uint8Array([byte]),
});

async function phoneWith(photos: readonly NewPhoto[]): Promise<PhoneStore> {
  const store = await openPhoneStore(`phone ${randomUUID()}`);
  const visit = { id: randomUUID(), rego: 'AAA1', vin: '', vehicleId: '', fields: [] };
  await keepVisit(store, visit, { state: 'unsent', person: JO, now: new Date(), photos });
  return store;
}

/** Refuses a photo of the bytes `refused`. Returns what was sent, too. */
function registry(refused: { byte: number; code: string }): { fetch: Fetch; photos: string[][] } {
  const photos: string[][] = [];
  const fetch: Fetch = async (_address, { body }) => {
    if (body instanceof URLSearchParams) {
      photos.push(body.getAll('photo'));
      return Response.json(RECORDED);
    }
    const file = body instanceof FormData ? body.get('image_file') : null;
    if (!(file instanceof File)) throw new Error('no file was sent');
    const [byte = 0] = new Uint8Array(await file.arrayBuffer());
    return byte === refused.byte
      ? Response.json({ code: refused.code, detail: DAMAGED }, { status: 422 })
      : Response.json({ id: `${file.name} ${byte}` }, { status: 201 });
  };
  return { fetch, photos };
}

test('a visit with a photo that the registry refuses is sent without it, and says so', async () => {
  const store = await phoneWith([photo('good.jpg', 1), photo('bad.jpg', 2), photo('also good.jpg', 3)]);
  const { fetch, photos } = registry({ byte: 2, code: 'file-refused' });
  expect(await sendOutbox(store, JO.id, fetch)).toBe('done');
  expect(photos.map((ids) => ids.toSorted())).toEqual([['also good.jpg 3', 'good.jpg 1']]);
  expect(await listVisits(store)).toMatchObject([{ state: 'recorded', leftOut: [{ name: 'bad.jpg', why: DAMAGED }] }]);
});

test('only the answer was lost: the photo that was refused is not sent a second time', async () => {
  const store = await phoneWith([photo('bad.jpg', 2), photo('good.jpg', 1)]);
  const { fetch, photos } = registry({ byte: 2, code: 'file-refused' });
  const asked: string[] = [];
  let isLost = true;
  const flaky: Fetch = async (address, init) => {
    asked.push(address);
    const answer = await fetch(address, init);
    if (isLost && address === '/field/visits') throw new TypeError('the answer was lost');
    return answer;
  };
  expect(await sendOutbox(store, JO.id, flaky)).toBe('no answer');
  isLost = false;
  expect(await sendOutbox(store, JO.id, flaky)).toBe('done');
  expect(asked.filter((address) => address === '/uploads')).toHaveLength(2);
  expect(photos).toEqual([['good.jpg 1'], ['good.jpg 1']]);
  expect((await listVisits(store))[0]?.leftOut).toHaveLength(1);
});

test('a good photo that is not taken today leaves no visit without it', async () => {
  const store = await phoneWith([photo('good.jpg', 1)]);
  const { fetch, photos } = registry({ byte: 1, code: 'too-many-files' });
  await sendOutbox(store, JO.id, fetch);
  expect(photos).toEqual([]);
  expect(await listVisits(store)).toMatchObject([{ state: 'refused', answer: { reason: 'too-many-files' } }]);
});

test('a photo that an earlier program kept as a Blob is sent; of one whose content is lost the visit says so', async () => {
  const store = await phoneWith([]);
  const [visit] = await listVisits(store);
  const lost = new Blob([new Uint8Array([9])], { type: 'x/lost' });
  const old = { visitId: visit?.id ?? '', uploadId: null };
  await store.put('photos', { ...old, id: 'a', name: 'old.jpg', blob: new Blob([new Uint8Array([1])]) });
  await store.put('photos', { ...old, id: 'b', name: 'lost.jpg', blob: lost });
  expect((await photosOf(store, old.visitId)).map(({ name }) => name).toSorted()).toEqual(['lost.jpg', 'old.jpg']);
  // As Safari does it.
  const { arrayBuffer } = Blob.prototype;
  Blob.prototype.arrayBuffer = function read() {
    return this.type === 'x/lost'
      ? Promise.reject(new DOMException('gone', 'NotFoundError'))
      : Reflect.apply(arrayBuffer, this, []);
  };
  const { fetch, photos } = registry({ byte: 99, code: '' });
  try {
    expect(await sendOutbox(store, JO.id, fetch)).toBe('done');
  } finally {
    Blob.prototype.arrayBuffer = arrayBuffer;
  }
  expect(photos).toEqual([['old.jpg 1']]);
  expect(await listVisits(store)).toMatchObject([
    { leftOut: [{ name: 'lost.jpg', why: 'This phone has lost its content.' }] },
  ]);
});
