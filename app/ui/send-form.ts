// In the browser: a form that could not be sent stays on the page with everything typed, and shows the cause. Without
// this, a lost network, an unreachable server or an ended session would replace the form with an error page or the
// sign-in page. Sent again, the form has the same idempotency key, so it has one effect.
import { data, isRouteErrorResponse } from 'react-router';
import type { FormAnswer } from './form-answer.ts';

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
    const why = causeOf(thrown);
    // A redirect or an error page is the registry's own answer.
    if (why === undefined) throw thrown;
    const values: Record<string, string> = {};
    for (const [name, value] of await copy.formData()) if (typeof value === 'string') values[name] = value;
    const isButton = Object.keys(values).every((name) => name === 'form_key');
    const cause = isButton ? why.cause.replace(KEPT, '') : why.cause;
    const answer: FormAnswer = { values, errors: {}, failure: `${failure} ${cause} ` };
    if (why.lost !== undefined) answer.lost = why.lost;
    if (why.lost === 'signed out') answer.link = { href: '/login', label: 'Sign in', inNewTab: true };
    return data(answer, { status: why.lost === undefined ? 400 : 503 });
  }
}

/** Why a form could not be sent: `lost` in two words, `cause` in sentences. */
type NotSent = { lost: FormAnswer['lost']; cause: string };

function causeOf(thrown: unknown): NotSent | undefined {
  if (thrown instanceof Response) {
    const location = thrown.headers.get('location');
    const to = location === null ? undefined : new URL(location, window.location.href);
    // The guard adds `to`, the page to open after the sign-in; a sign-out by the user redirects to /login without it.
    if (to?.pathname !== '/login' || !to.searchParams.has('to')) return undefined;
    const cause = `signed-out. Your session has ended, and nothing was saved. ${KEPT}Sign in in another tab, then send it again.`;
    return { lost: 'signed out', cause };
  }
  if (isRouteErrorResponse(thrown) && thrown.status < 500) {
    const sentence = sentenceOf(thrown.data);
    return sentence === undefined ? undefined : { lost: undefined, cause: `form-malformed. ${sentence} ${KEPT}` };
  }
  if (!navigator.onLine)
    return { lost: 'offline', cause: `no-network. This device is offline. ${KEPT}Send it again when you are back.` };
  if (isRouteErrorResponse(thrown) && thrown.status === 503)
    return { lost: 'no answer', cause: `registry-unavailable. Nothing was saved. ${KEPT}Try again in a moment.` };
  // The request or the answer was lost, so the form may have been saved.
  return { lost: 'no answer', cause: `no-answer. The registry did not answer. ${KEPT}Try again in a moment.` };
}

const KEPT = 'What you typed is still here. ';

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
