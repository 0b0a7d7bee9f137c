import { beforeEach, expect, test } from 'vitest';
import { openResponseCache, type ResponseCache } from './response-cache.server.ts';

type Answer = { text: string };
let tell: (topics: readonly string[] | 'everything') => void;
let isFollowing: boolean;
let clock: number;
let cache: ResponseCache<Answer>;
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
  cache = openResponseCache<Answer>({ live, now: () => new Date(clock) }, 1000);
});

const answer = (text: string, tags: string[], bytes = 10) => ({ response: { text }, tags, bytes, until: 2000 });
function store(key: string, ...rest: Parameters<typeof answer>): void {
  const making = cache.begin();
  making.store(key, answer(...rest));
  making.end();
}

test('a cached response is found until a change to one of its tags is heard', () => {
  store('/a', 'a', ['vehicle:A', 'technicians']);
  store('/b', 'b', ['vehicle:B', 'technicians']);
  tell(['vehicle:C', 'logs']);
  expect([cache.find('/a')?.text, cache.find('/b')?.text]).toEqual(['a', 'b']);
  tell(['vehicle:A', 'vehicles']);
  expect([cache.find('/a'), cache.find('/b')?.text]).toEqual([undefined, 'b']);
  tell(['technicians']);
  expect(cache.find('/b')).toBeUndefined();
  expect(cache.size()).toEqual({ responses: 0, bytes: 0 });
});

test('a response is not cached when one of its tags changed while it was made', () => {
  const [one, other] = [cache.begin(), cache.begin()];
  tell(['vehicle:A']);
  one.store('/a', answer('old', ['vehicle:A']));
  other.store('/b', answer('b', ['vehicle:B']));
  expect([cache.find('/a'), cache.find('/b')?.text]).toEqual([undefined, 'b']);
  const begunSince = cache.begin();
  begunSince.store('/a', answer('new', ['vehicle:A']));
  one.store('/a', answer('old', ['vehicle:A']));
  expect(cache.find('/a')?.text).toBe('new');
});

test('one that is stored again is dropped all the same', () => {
  store('/a', 'first', ['vehicle:A']);
  store('/a', 'second', ['vehicle:A']);
  tell(['vehicle:A']);
  expect(cache.find('/a')).toBeUndefined();
});

test('its time ends', () => {
  store('/a', 'a', []);
  clock = 1999;
  expect(cache.find('/a')?.text).toBe('a');
  clock = 2000;
  expect(cache.find('/a')).toBeUndefined();
  expect(cache.size().responses).toBe(0);
});

test('when it cannot be known what changed, everything goes, also what is being made', () => {
  store('/a', 'a', []);
  const making = cache.begin();
  tell('everything');
  making.store('/b', answer('b', []));
  expect(cache.size().responses).toBe(0);
});

test('nothing is cached or found while changes are not heard', () => {
  store('/a', 'a', []);
  isFollowing = false;
  expect(cache.find('/a')).toBeUndefined();
  store('/b', 'b', []);
  isFollowing = true;
  expect(cache.find('/b')).toBeUndefined();
});

test('it takes no more than it may, and the one that nobody asked for goes first', () => {
  for (const key of ['/a', '/b', '/c']) store(key, key, [`vehicle:${key}`], 300);
  cache.find('/a');
  store('/d', '/d', [], 300);
  expect(['/a', '/b', '/c', '/d'].map((key) => cache.find(key)?.text)).toEqual(['/a', undefined, '/c', '/d']);
  store('/large', 'large', [], 1001);
  expect(cache.find('/large')).toBeUndefined();
  expect(cache.size()).toEqual({ responses: 3, bytes: 900 });
});
