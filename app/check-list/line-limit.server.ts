// How many lines a client may check: what a check costs grows with its lines.
import { refused } from '#app/forms/submit-form.server.ts';
import { retryIn, takeHit, type Hit, type Limit } from '#app/platform/database/rate-limit.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';

/** In an hour: a list of the greatest length, all its pages and its files, and the same again. */
export const LINES_AN_HOUR = 40_000;
// One hit of the limit.
const LINES_A_HIT = 20;
const LIMIT: Limit = { max: LINES_AN_HOUR / LINES_A_HIT, windowMs: 3_600_000 };

/** In an hour: the same lists with all their columns, and their pages, which carry the list. */
export const MEGABYTES_AN_HOUR = 100;
/** A body of fewer is bounded by its lines. */
export const BYTES_A_HIT = 50_000;

/** Counts the `bytes` of a list before they are read. Undefined: they may be; else the answer. */
export async function refuseBytes(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  client: string,
  bytes: number,
): Promise<Response | undefined> {
  if (!config.rateLimits || bytes < BYTES_A_HIT) return undefined;
  const limit: Limit = { max: (MEGABYTES_AN_HOUR * 1_000_000) / BYTES_A_HIT, windowMs: LIMIT.windowMs };
  const hit = await takeHit(db, ['check bytes', client], { limit, now: now(), cost: Math.ceil(bytes / BYTES_A_HIT) });
  if (hit.allowed) return undefined;
  const cause = `More than ${MEGABYTES_AN_HOUR} MB of lists came from your connection within an hour.`;
  const retryAfter = hit.retryAfterSeconds;
  return problem(429, 'too-many-bytes', { detail: `${cause} Try again ${retryIn(retryAfter)}.`, retryAfter });
}

/** Counts `lines` that a client has looked up. */
export function takeLines(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  client: string,
  lines: number,
): Promise<Hit> {
  if (!config.rateLimits) return Promise.resolve({ allowed: true });
  return takeHit(db, ['check', client], { limit: LIMIT, now: now(), cost: Math.ceil(lines / LINES_A_HIT) });
}

/** The refusal of a form whose client has looked up too many. Undefined: these `lines` are counted, and it goes on. */
export async function refuseLines(services: Parameters<typeof takeLines>[0], client: string, lines: number) {
  const hit = await takeLines(services, client, lines);
  if (hit.allowed) return undefined;
  const { retryAfterSeconds } = hit;
  return refused<never>(429, { code: 'too-many-lines', sentence: tooManyLines(retryAfterSeconds), retryAfterSeconds });
}

const tooManyLines = (seconds: number): string =>
  `More than ${LINES_AN_HOUR.toLocaleString('en-AU')} lines came from your connection within an hour. Try again ${retryIn(seconds)}.`;

export const tooManyAnswer = (seconds: number): Response =>
  problem(429, 'too-many-lines', { detail: tooManyLines(seconds), retryAfter: seconds });
