import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { groupCommit, type GroupCommit } from './group-commit.server.ts';

type Asked = {
  items: readonly string[];
  committing: () => void;
  answer: (answers: readonly (string | undefined)[]) => void;
  fail: (error: Error) => void;
};

// The test answers each batch. A single is answered, refused or left waiting, depending on its item's text.
function open(more: Partial<GroupCommit<string, string>> = {}) {
  const batches: Asked[] = [];
  const waiting = new Set<() => void>();
  const singles: string[] = [];
  const record = groupCommit<string, string>({
    batch: (items, committing) =>
      new Promise((answer, fail) => {
        batches.push({ items, committing, answer, fail });
        for (const go of waiting) go();
        waiting.clear();
      }),
    single: (item) => {
      singles.push(item);
      if (item.startsWith('held')) return new Promise(() => {});
      return item.startsWith('bad') ? Promise.reject(new Error(item)) : Promise.resolve(`${item} single`);
    },
    isIdempotent: (item) => item.endsWith('once'),
    conflictKey: (item) => item,
    ...more,
  });
  const batch = async (place: number): Promise<Asked> => {
    while (batches[place] === undefined) await new Promise<void>((go) => waiting.add(go));
    return batches[place];
  };
  // The first goes at once, as a batch of its own; the rest is the next batch.
  const recordBatch = async (items: readonly string[]) => {
    const first = record('first');
    const answers = items.map(record);
    (await batch(0)).answer(['FIRST']);
    expect(await first).toBe('FIRST');
    return { answers, asked: await batch(1) };
  };
  return { record, recordBatch, batch, singles };
}
const lost = (code: string) => Object.assign(new Error('lost'), { code });

test('the first goes at once; what comes meanwhile is one batch, in its order', async () => {
  const { record, batch, singles } = open();
  const first = record('a');
  const one = await batch(0);
  expect(one.items).toEqual(['a']);
  const rest = ['b', 'c', 'd'].map(record);
  one.answer(['A']);
  expect(await first).toBe('A');
  const two = await batch(1);
  expect(two.items).toEqual(['b', 'c', 'd']);
  const later = ['e', 'f'].map(record);
  two.answer(['B', 'C', 'D']);
  expect(await Promise.all(rest)).toEqual(['B', 'C', 'D']);
  (await batch(2)).answer(['E', 'F']);
  expect(await Promise.all(later)).toEqual(['E', 'F']);
  expect(singles).toEqual([]);
});

test('a batch has at most 64', async () => {
  const { recordBatch, batch } = open();
  const { answers, asked: one } = await recordBatch(Array.from({ length: 100 }, (_, place) => String(place)));
  expect(one.items).toHaveLength(64);
  one.answer(one.items);
  const two = await batch(2);
  expect(two.items).toHaveLength(36);
  two.answer(two.items);
  expect(await Promise.all(answers)).toHaveLength(100);
});

test('one that is left out is a single, and the rest has its answers', async () => {
  const { recordBatch } = open();
  const { answers, asked } = await recordBatch(['b', 'c']);
  asked.answer([undefined, 'C']);
  expect(await Promise.all(answers)).toEqual(['b single', 'C']);
});

test.each([[lost('23514')], [lost('55P03')], [lost('40P01')], [new Error('a mistake')]])(
  'when a batch fails with %s, each is a single, and one that fails is nothing to the others',
  async (error) => {
    const { recordBatch, singles } = open();
    const { answers, asked } = await recordBatch(['b', 'bad', 'd']);
    asked.fail(error);
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(singles).toEqual(['b', 'bad', 'd']);
  },
);

test('when the database is away, all fail at once', async () => {
  const { recordBatch, singles } = open();
  const { answers, asked } = await recordBatch(['b', 'c once']);
  asked.fail(lost('57P01'));
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(singles).toEqual([]);
});

test('when the commit’s answer is lost, only what finds its first outcome is written again', async () => {
  const { recordBatch, singles } = open();
  const { answers, asked } = await recordBatch(['b', 'c once']);
  asked.committing();
  asked.fail(lost('08006'));
  expect(await Promise.allSettled(answers)).toMatchObject([{ status: 'rejected' }, { value: 'c once single' }]);
  expect(singles).toEqual(['c once']);
});

test('those who wait for somebody’s lock hold up nobody, and are few at a time', async () => {
  const { record, singles } = open({
    batch: (items) => Promise.resolve(items.map((item) => (item.startsWith('held') ? undefined : item.toUpperCase()))),
  });
  for (let round = 0; round < 4; round += 1) {
    void record(`held ${round} a`);
    void record(`held ${round} b`);
    expect(await record('b')).toBe('B');
  }
  await setImmediate();
  expect(singles).toEqual(['held 0 a', 'held 0 b', 'held 1 a', 'held 1 b', 'held 2 a']);
  // An item that comes after all others is not held up either.
  expect(await record('z')).toBe('Z');
});

test('a single that has ended lets the next one go', async () => {
  const ends = new Map<string, (answer: string) => void>();
  const { record, batch } = open({ single: (item) => new Promise((end) => ends.set(item, end)) });
  const first = record('0');
  const rest = ['1', '2', '3', '4', '5', '6'].map(record);
  (await batch(0)).answer([undefined]);
  (await batch(1)).answer([]);
  await setImmediate();
  expect([...ends.keys()]).toEqual(['0', '1', '2', '3', '4']);
  ends.get('0')?.('zero');
  expect(await first).toBe('zero');
  await setImmediate();
  expect([...ends.keys()]).toEqual(['0', '1', '2', '3', '4', '5']);
  for (const [item, end] of ends) end(item);
  await setImmediate();
  ends.get('6')?.('6');
  expect(await Promise.all(rest)).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('of those who wait for one lock one is under way, and the rest leaves room for others', async () => {
  const { record, singles } = open({
    batch: (items) => Promise.resolve(items.map(() => undefined)),
    conflictKey: (item) => item.slice(0, 6),
  });
  for (let nth = 0; nth < 8; nth += 1) void record(`held 0 ${nth}`);
  await setImmediate();
  expect(singles).toEqual(['held 0 0']);
  expect(await record('another')).toBe('another single');
});

test('while one is committing the next is written, without what the first still holds', async () => {
  const { recordBatch, record, batch } = open({ conflictKey: (item) => item.slice(0, 1) });
  const { answers: first, asked: one } = await recordBatch(['a1', 'b1']);
  expect(one.items).toEqual(['a1', 'b1']);
  const second = ['a2', 'c1', 'd1'].map(record);
  one.committing();
  const two = await batch(2);
  expect(two.items).toEqual(['c1', 'd1']);
  two.committing();
  const third = ['e1', 'f1'].map(record);
  one.answer(['A1', 'B1']);
  expect(await Promise.all(first)).toEqual(['A1', 'B1']);
  const three = await batch(3);
  expect(three.items).toEqual(['a2', 'e1', 'f1']);
  two.answer(['C1', 'D1']);
  three.answer(['A2', 'E1', 'F1']);
  expect(await Promise.all([...second, ...third])).toEqual(['A2', 'C1', 'D1', 'E1', 'F1']);
});
