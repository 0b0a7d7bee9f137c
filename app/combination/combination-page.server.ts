// What the page of units that are coupled shows.
import type { Services } from '#app/platform/services/services.server.ts';
import { qrStrokes } from '#app/platform/paper/qr.server.ts';
import { logHead } from '#app/transparency-log/log-page.server.ts';
import { addressOf, answerCombination, unitsAsked } from './answer-combination.server.ts';
import { UNITS_MAX } from './combination.ts';

/** What the page shows. `shown`: null: nothing can be said of these, or nothing was asked. */
export type CombinationPage = Awaited<ReturnType<typeof combinationPage>>;

export async function combinationPage(services: Services, query: URLSearchParams, origin: string) {
  const texts = unitsAsked(query);
  const on = query.get('on') ?? '';
  const answer = await answerCombination(services, texts, on);
  const address = origin + (texts.length === 0 ? '/combination' : addressOf(texts.slice(0, UNITS_MAX), on));
  return {
    given: answer?.given ?? [],
    // The day that was asked for; '': today.
    on,
    error: answer?.ok === false ? answer.error : '',
    shown: answer?.ok === true ? answer.shown : null,
    receipt: addressOf(texts, on, '/receipt.pdf'),
    qr: qrStrokes(answer?.ok === true ? address : `${origin}/combination`, 'any'),
    address,
    log: await logHead(services.config),
  };
}
