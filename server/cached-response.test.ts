import { expect, test } from 'vitest';
import { answerOf, cacheResponse } from './cached-response.ts';

test.each(['br', 'gzip'] as const)('a body under %s holds no more memory than its bytes', (encoding) => {
  const plain = Buffer.from('{"rego":"XV04KL"}'.repeat(50));
  const cached = cacheResponse('/', new Headers(), plain);
  answerOf(cached, { ifNoneMatch: undefined, acceptEncoding: encoding });
  expect(cached.bodies[encoding]?.length).toBeGreaterThan(0);
  expect(cached.bodies[encoding]?.buffer.byteLength).toBe(cached.bodies[encoding]?.length);
});
