import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draftKey, dropDrafts, keepOnlyDraftsOf, readDraft } from './drafts.ts';

// A storage whose keys are its own properties, as a browser's are.
let storage: Record<string, unknown>;
const put = (owner: string, form: string, hoursAgo = 0) => {
  const draft = { at: Date.now() - hoursAgo * 3_600_000, values: [['notes', 'by the gate']] };
  storage[draftKey(owner, form)] = JSON.stringify(draft);
};
beforeEach(() => {
  storage = {};
  const getItem = (key: string) => storage[key] ?? null;
  const removeItem = (key: string) => Reflect.deleteProperty(storage, key);
  for (const [name, value] of Object.entries({ getItem, removeItem }))
    Object.defineProperty(storage, name, { value, enumerable: false });
  vi.stubGlobal('window', { localStorage: storage });
});
afterEach(() => vi.unstubAllGlobals());
const kept = () => Object.keys(storage);

test('a draft outlives the end of its session, for four hours', () => {
  put('jo', 'XV04KL', 3.9);
  put('jo', 'QK11AB', 4.1);
  storage['theme'] = 'dark';
  keepOnlyDraftsOf(null);
  expect(kept()).toEqual([draftKey('jo', 'XV04KL'), 'theme']);
  keepOnlyDraftsOf('jo');
  expect(readDraft(draftKey('jo', 'XV04KL'))?.values).toEqual([['notes', 'by the gate']]);
});

test('anybody who signs in next finds none of another’s; a sign-out leaves none', () => {
  put('jo', 'XV04KL');
  put('jo2', 'XV04KL');
  keepOnlyDraftsOf('jo2');
  expect(kept()).toEqual([draftKey('jo2', 'XV04KL')]);
  dropDrafts();
  expect(kept()).toEqual([]);
});

test('what is no draft, and one from a clock that was ahead, is not read', () => {
  storage[draftKey('jo', 'A')] = '{';
  put('jo', 'B', -5);
  expect([readDraft(draftKey('jo', 'A')), readDraft(draftKey('jo', 'B'))]).toEqual([undefined, undefined]);
  keepOnlyDraftsOf('jo');
  expect(kept()).toEqual([]);
});
