import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draftKey } from '#app/ui/drafts.ts';
import { judgedFile } from '#app/ui/judge-photo.ts';
import { keepDraftPhotos, readDraftPhotos } from './draft-photos.ts';
import { keepVisit, photosOf } from './outbox.ts';
import { openPhoneStore } from './phone-store.ts';

const KEY = draftKey('jo', 'XV04KL');
let storage: Map<string, string>;
beforeEach(() => {
  storage = new Map([[KEY, JSON.stringify({ at: Date.now(), values: [] })]]);
  vi.stubGlobal('window', { localStorage: { getItem: (key: string) => storage.get(key) ?? null } });
});
afterEach(() => vi.unstubAllGlobals());

const namesAndBytes = async () =>
  Promise.all((await readDraftPhotos(KEY)).map(async (file) => [file.name, await file.text()]));

test('what was chosen in a form is there again, as bytes, until its draft is gone', async () => {
  const [one, two] = [judgedFile('1', 'one.jpg', 'image/jpeg'), judgedFile('2', 'two.jpg', 'image/jpeg')];
  // One that is not judged yet is kept once it is.
  await keepDraftPhotos(KEY, [one, two, new File(['3'], 'three.jpg')]);
  expect((await namesAndBytes()).toSorted()).toEqual([
    ['one.jpg', '1'],
    ['two.jpg', '2'],
  ]);
  const store = await openPhoneStore();
  expect((await store.getAll('photos')).every((photo) => !('blob' in photo))).toBe(true);
  await keepDraftPhotos(KEY, [two]);
  expect(await namesAndBytes()).toEqual([['two.jpg', '2']]);
  // A visit in the outbox keeps its own.
  const visit = { id: 'v1', rego: 'XV04KL', vin: '', vehicleId: '', fields: [] };
  const photos = [{ id: 'p1', name: 'kept.jpg', type: 'image/jpeg', bytes: new Uint8Array([7]) }];
  await keepVisit(store, visit, { state: 'unsent', person: { id: 'jo', name: 'Jo' }, now: new Date(), photos });
  storage.clear();
  expect(await namesAndBytes()).toEqual([]);
  expect((await photosOf(store, 'v1')).map(({ name }) => name)).toEqual(['kept.jpg']);
  expect(await store.count('photos')).toBe(1);
  store.close();
});
