import { beforeEach, expect, test } from 'vitest';
import { keepAnswers, type KeptAnswers } from './kept-answers.server.ts';

type Answer = { text: string };
let tell: (topics: readonly string[] | 'everything') => void;
let isFollowing: boolean;
let clock: number;
let kept: KeptAnswers<Answer>;
beforeEach(() => {
  isFollowing = true;
  clock = 1000;
  const live = {
    onChange(hear: typeof tell) {
      tell = hear;
      return () => {};
    },
    isFollowing: () => isFollowing,
  };
  kept = keepAnswers<Answer>({ live, now: () => new Date(clock) }, 1000);
});

const answer = (text: string, topics: string[], bytes = 10) => ({ prepared: { text }, topics, bytes, until: 2000 });
function keep(key: string, ...rest: Parameters<typeof answer>): void {
  const making = kept.begin();
  making.keep(key, answer(...rest));
  making.end();
}

test('what is kept is found until a change to one of its topics is heard', () => {
  keep('/a', 'a', ['vehicle:A', 'technicians']);
  keep('/b', 'b', ['vehicle:B', 'technicians']);
  tell(['vehicle:C', 'logs']);
  expect([kept.find('/a')?.text, kept.find('/b')?.text]).toEqual(['a', 'b']);
  tell(['vehicle:A', 'vehicles']);
  expect([kept.find('/a'), kept.find('/b')?.text]).toEqual([undefined, 'b']);
  tell(['technicians']);
  expect(kept.find('/b')).toBeUndefined();
  expect(kept.size()).toEqual({ answers: 0, bytes: 0 });
});

test('an answer is not kept when its topic changed while it was made', () => {
  const [one, other] = [kept.begin(), kept.begin()];
  tell(['vehicle:A']);
  one.keep('/a', answer('old', ['vehicle:A']));
  other.keep('/b', answer('b', ['vehicle:B']));
  expect([kept.find('/a'), kept.find('/b')?.text]).toEqual([undefined, 'b']);
  const begunSince = kept.begin();
  begunSince.keep('/a', answer('new', ['vehicle:A']));
  one.keep('/a', answer('old', ['vehicle:A']));
  expect(kept.find('/a')?.text).toBe('new');
});

test('one that is kept again is dropped all the same', () => {
  keep('/a', 'first', ['vehicle:A']);
  keep('/a', 'second', ['vehicle:A']);
  tell(['vehicle:A']);
  expect(kept.find('/a')).toBeUndefined();
});

test('its time ends', () => {
  keep('/a', 'a', []);
  clock = 1999;
  expect(kept.find('/a')?.text).toBe('a');
  clock = 2000;
  expect(kept.find('/a')).toBeUndefined();
  expect(kept.size().answers).toBe(0);
});

test('when it cannot be known what changed, everything goes, also what is being made', () => {
  keep('/a', 'a', []);
  const making = kept.begin();
  tell('everything');
  making.keep('/b', answer('b', []));
  expect(kept.size().answers).toBe(0);
});

test('nothing is kept or found while changes are not heard', () => {
  keep('/a', 'a', []);
  isFollowing = false;
  expect(kept.find('/a')).toBeUndefined();
  keep('/b', 'b', []);
  isFollowing = true;
  expect(kept.find('/b')).toBeUndefined();
});

test('it takes no more than it may, and the one that nobody asked for goes first', () => {
  for (const key of ['/a', '/b', '/c']) keep(key, key, [`vehicle:${key}`], 300);
  kept.find('/a');
  keep('/d', '/d', [], 300);
  expect(['/a', '/b', '/c', '/d'].map((key) => kept.find(key)?.text)).toEqual(['/a', undefined, '/c', '/d']);
  keep('/large', 'large', [], 1001);
  expect(kept.find('/large')).toBeUndefined();
  expect(kept.size()).toEqual({ answers: 3, bytes: 900 });
});
