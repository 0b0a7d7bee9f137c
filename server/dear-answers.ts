// Answers that cost many times what a search does: few are worked on at a time, and a bounded number wait. Without
// this, fifty of them at once leave nobody else an answer for seconds. What the response cache has is not counted.
import type { MiddlewareHandler, Next } from 'hono';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { fewAtOnce } from '#app/platform/process/few-at-once.server.ts';
import { pageAt } from './page-at.ts';

type Line = { atOnce: number; waitingMax: number };
const DEAR: Line = { atOnce: 2, waitingMax: 30 };
/** Of pages that everybody needs. */
const OF_EVERYBODY: Line = { atOnce: 4, waitingMax: 300 };
const OF_API = /^\/api\/v1\/(openapi\.json|vehicles\/.*\/(proof|proof\.svg|sets|sets\/[^/]*))$/;

export function fewDearAnswers(): MiddlewareHandler {
  const dear = oneOf(DEAR);
  const ofEverybody = oneOf(OF_EVERYBODY);
  return async (context, next) => {
    const { method, path } = context.req;
    if (method !== 'GET' && method !== 'HEAD') return next();
    if (isDear(path)) return dear(next);
    return pageAt(path).page.dear === 'waits' ? ofEverybody(next) : next();
  };
}

function oneOf({ atOnce, waitingMax }: Line): (next: Next) => Promise<Response | void> {
  const line = fewAtOnce(atOnce);
  return async (next) =>
    line.waiting() < waitingMax
      ? line.inTurn(next)
      : problem(503, 'too-busy', {
          detail: 'Too many pages of this kind are asked for at once. Try again in a moment.',
        });
}

export const isDear = (path: string): boolean => OF_API.test(path) || pageAt(path).page.dear === true;
