// In the browser: a form that could not be sent stays on the page with everything typed, and shows the cause. Without
// this, a lost network, an unreachable server or an ended session would replace the form with an error page or the
// sign-in page. Sent again, the form has the same idempotency key, so it has one effect.
import { data, isRouteErrorResponse } from 'react-router';
import type { Cause, FormAnswer } from './form-answer.ts';

/**
 * A route's client action: sends the form, and answers with `failure` (the form's own words, as in the specification's
 * catalogue) when it does not arrive.
 */
export async function sendForm<Sent>(
  { request, serverAction }: { request: Request; serverAction: () => Promise<Sent> },
  failure: string,
): Promise<Sent | ReturnType<typeof data<FormAnswer>>> {
  const copy = request.clone();
  try {
    return await serverAction();
  } catch (thrown) {
    const values = textsOf(await copy.formData());
    const isButton = Object.keys(values).every((name) => name === 'form_key');
    const why = causeOf(thrown, isButton ? '' : 'What you typed is still here. ');
    // A redirect or an error page is the registry's own answer.
    if (why === undefined) throw thrown;
    const { lost, ...cause } = why;
    const answer: FormAnswer = { values, errors: {}, failure: { lead: failure, ...cause } };
    if (lost !== undefined) answer.lost = lost;
    if (lost === 'signed out') answer.link = { href: '/login', label: 'Sign in', inNewTab: true };
    return data(answer, { status: lost === undefined ? 400 : 503 });
  }
}

/** Why a form could not be sent; `lost`: in two words. */
type NotSent = Cause & { lost: FormAnswer['lost'] };

// `kept`: what the sentence says of what was typed.
function causeOf(thrown: unknown, kept: string): NotSent | undefined {
  if (thrown instanceof Response) {
    const location = thrown.headers.get('location');
    const to = location === null ? undefined : new URL(location, window.location.href);
    // The guard adds `to`, the page to open after the sign-in; a sign-out by the user redirects to /login without it.
    if (to?.pathname !== '/login' || !to.searchParams.has('to')) return undefined;
    const sentence = `Your session has ended, and nothing was saved. ${kept}Sign in in another tab, then send it again.`;
    return { lost: 'signed out', code: 'signed-out', sentence };
  }
  if (isRouteErrorResponse(thrown) && thrown.status < 500) {
    const sentence = sentenceOf(thrown.data);
    return sentence === undefined
      ? undefined
      : { lost: undefined, code: 'form-malformed', sentence: `${sentence} ${kept}` };
  }
  if (!navigator.onLine)
    return {
      lost: 'offline',
      code: 'no-network',
      sentence: `This device is offline. ${kept}Send it again when you are back.`,
    };
  if (isRouteErrorResponse(thrown) && thrown.status === 503)
    return {
      lost: 'no answer',
      code: 'registry-unavailable',
      sentence: `Nothing was saved. ${kept}Try again in a moment.`,
    };
  // The request or the answer was lost, so the form may have been saved.
  return {
    lost: 'no answer',
    code: 'no-answer',
    sentence: `The registry did not answer. ${kept}Try again in a moment.`,
  };
}

const textsOf = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

// The sentence of a problem-details answer: the form was too large, or was sent too often.
function sentenceOf(body: unknown): string | undefined {
  let read = body;
  if (typeof body === 'string')
    try {
      read = JSON.parse(body);
    } catch {
      return undefined;
    }
  if (typeof read !== 'object' || read === null) return undefined;
  return 'detail' in read && typeof read.detail === 'string' ? read.detail : undefined;
}
