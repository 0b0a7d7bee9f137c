// Answers that cost many times what a search does: few are worked on at a time, and a bounded number wait. Without this,
// fifty of them at once leave nobody else an answer for seconds. What the response cache has is not counted.
import type { MiddlewareHandler } from 'hono';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { fewAtOnce } from '#app/platform/process/few-at-once.server.ts';
import { pageAt } from './page-at.ts';

const AT_ONCE = 2;
const WAITING_MAX = 30;
const OF_API = /^\/api\/v1\/(openapi\.json|vehicles\/.*\/(proof|proof\.svg|sets|sets\/[^/]*))$/;

export function fewDearAnswers(): MiddlewareHandler {
  const line = fewAtOnce(AT_ONCE);
  const patient = fewAtOnce(AT_ONCE);
  return async (context, next) => {
    const { method, path } = context.req;
    if (method !== 'GET' && method !== 'HEAD') return next();
    if (!isDear(path)) return pageAt(path).page.dear === 'waits' ? patient.inTurn(next) : next();
    if (line.waiting() >= WAITING_MAX)
      return problem(503, 'too-busy', 'Too many pages of this kind are asked for at once. Try again in a moment.');
    return line.inTurn(next);
  };
}

export const isDear = (path: string): boolean => OF_API.test(path) || pageAt(path).page.dear === true;
