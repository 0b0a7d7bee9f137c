import { expect, test } from 'vitest';
import { batchLoader } from './batch-loader.server.ts';

type Asked = { questions: readonly string[]; answer: () => void; fail: (error: Error) => void };

function open() {
  const asked: Asked[] = [];
  const tell = new Set<() => void>();
  const one = batchLoader<string>(
    (questions) =>
      new Promise((resolve, fail) => {
        const answer = () =>
          resolve(new Map(questions.filter((text) => text !== 'none').map((text) => [text, `${text}!`])));
        asked.push({ questions, answer, fail });
        for (const told of tell) told();
        tell.clear();
      }),
  );
  const nth = async (place: number): Promise<Asked> => {
    for (;;) {
      const found = asked[place];
      if (found !== undefined) return found;
      await new Promise<void>((told) => tell.add(told));
    }
  };
  return { one, nth, asked };
}

test('those that come while one is asked go together, each once, and are asked after they came', async () => {
  const { one, nth } = open();
  const first = one('a');
  expect((await nth(0)).questions).toEqual(['a']);
  const rest = ['a', 'b', 'b', 'none'].map(one);
  (await nth(0)).answer();
  expect(await first).toBe('a!');
  expect((await nth(1)).questions).toEqual(['a', 'b', 'none']);
  (await nth(1)).answer();
  expect(await Promise.all(rest)).toEqual(['a!', 'b!', 'b!', undefined]);
  const later = one('a');
  (await nth(2)).answer();
  expect(await later).toBe('a!');
});

test('one that fails fails those that were asked with it, and no other', async () => {
  const { one, nth } = open();
  const first = one('a');
  (await nth(0)).fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  const second = one('a');
  (await nth(1)).answer();
  expect(await second).toBe('a!');
});

test('an answer that does not come holds nobody up', async () => {
  const { one, nth } = open();
  void one('a');
  await nth(0);
  const second = one('b');
  (await nth(1)).answer();
  expect(await second).toBe('b!');
  const third = one('c');
  (await nth(2)).answer();
  expect(await third).toBe('c!');
});
