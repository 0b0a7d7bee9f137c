import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writeInGroups, type GroupedWrite } from './group-writes.server.ts';

type Asked = {
  items: readonly string[];
  committing: () => void;
  answer: (answers: readonly (string | undefined)[]) => void;
  fail: (error: Error) => void;
};

// What goes together waits for the test; what goes alone is answered, refused or held by what its item says.
function open(more: Partial<GroupedWrite<string, string>> = {}) {
  const groups: Asked[] = [];
  const told = new Set<() => void>();
  const alone: string[] = [];
  const record = writeInGroups<string, string>({
    together: (items, committing) =>
      new Promise((answer, fail) => {
        groups.push({ items, committing, answer, fail });
        for (const tell of told) tell();
        told.clear();
      }),
    alone: (item) => {
      alone.push(item);
      if (item.startsWith('held')) return new Promise(() => {});
      return item.startsWith('bad') ? Promise.reject(new Error(item)) : Promise.resolve(`${item} alone`);
    },
    isOnce: (item) => item.endsWith('once'),
    about: (item) => item,
    ...more,
  });
  const group = async (place: number): Promise<Asked> => {
    while (groups[place] === undefined) await new Promise<void>((tell) => told.add(tell));
    return groups[place];
  };
  return { record, group, alone };
}
const lost = (code: string) => Object.assign(new Error('lost'), { code });

test('one that comes alone goes at once; what comes meanwhile goes together, in its order', async () => {
  const { record, group, alone } = open();
  const first = record('a');
  expect(alone).toEqual(['a']);
  const rest = ['b', 'c', 'd'].map(record);
  expect(await first).toBe('a alone');
  const { items, answer } = await group(0);
  expect(items).toEqual(['b', 'c', 'd']);
  const later = ['e', 'f'].map(record);
  answer(['B', 'C', 'D']);
  expect(await Promise.all(rest)).toEqual(['B', 'C', 'D']);
  (await group(1)).answer(['E', 'F']);
  expect(await Promise.all(later)).toEqual(['E', 'F']);
});

test('at most 64 go together', async () => {
  const { record, group } = open();
  const answers = Array.from({ length: 101 }, (_, place) => record(String(place)));
  const one = await group(0);
  expect(one.items).toHaveLength(64);
  one.answer(one.items);
  const two = await group(1);
  expect(two.items).toHaveLength(36);
  two.answer(two.items);
  expect(await Promise.all(answers)).toHaveLength(101);
});

test('one that is left out goes alone, and the rest has its answers', async () => {
  const { record, group } = open();
  const answers = ['a', 'b', 'c'].map(record);
  (await group(0)).answer([undefined, 'C']);
  expect(await Promise.all(answers)).toEqual(['a alone', 'b alone', 'C']);
});

test.each([[lost('23514')], [lost('55P03')], [lost('40P01')], [new Error('a mistake')]])(
  'when a group fails with %s, each goes alone, and one that fails is nothing to the others',
  async (error) => {
    const { record, group } = open();
    const answers = ['a', 'b', 'bad', 'd'].map(record);
    (await group(0)).fail(error);
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  },
);

test('when the database is away, all hear it at once', async () => {
  const { record, group, alone } = open();
  const answers = ['a', 'b', 'c once'].map(record);
  (await group(0)).fail(lost('57P01'));
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(alone).toEqual(['a']);
});

test('when the commit’s answer is lost, only what finds its first outcome is written again', async () => {
  const { record, group, alone } = open();
  const answers = ['a', 'b', 'c once'].map(record);
  const { committing, fail } = await group(0);
  committing();
  fail(lost('08006'));
  expect(await Promise.allSettled(answers)).toMatchObject([
    { value: 'a alone' },
    { status: 'rejected' },
    { value: 'c once alone' },
  ]);
  expect(alone).toEqual(['a', 'c once']);
});

test('those who wait for somebody’s lock hold up nobody, and are few at a time', async () => {
  const { record, group, alone } = open();
  void record('held 0');
  for (let round = 0; round < 4; round += 1) {
    void record(`held ${round + 1} a`);
    void record(`held ${round + 1} b`);
    const answer = record('b');
    const { items, answer: tell } = await group(round);
    tell(items.map((item) => (item.startsWith('held') ? undefined : 'B')));
    expect(await answer).toBe('B');
  }
  await setImmediate();
  expect(alone).toHaveLength(5);
  // Nor one that comes when nothing else does.
  const last = record('z');
  (await group(4)).answer(['Z']);
  expect(await last).toBe('Z');
});

test('while one is committing the next is written, without what the first still holds', async () => {
  const { record, group } = open({ about: (item) => item.slice(0, 1) });
  void record('z');
  const first = ['a1', 'b1'].map(record);
  const one = await group(0);
  expect(one.items).toEqual(['a1', 'b1']);
  const second = ['a2', 'c1', 'd1'].map(record);
  one.committing();
  const two = await group(1);
  expect(two.items).toEqual(['c1', 'd1']);
  two.committing();
  const third = ['e1', 'f1'].map(record);
  one.answer(['A1', 'B1']);
  expect(await Promise.all(first)).toEqual(['A1', 'B1']);
  const three = await group(2);
  expect(three.items).toEqual(['a2', 'e1', 'f1']);
  two.answer(['C1', 'D1']);
  three.answer(['A2', 'E1', 'F1']);
  expect(await Promise.all([...second, ...third])).toEqual(['A2', 'C1', 'D1', 'E1', 'F1']);
});
