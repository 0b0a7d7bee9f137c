// In the browser: a form that did not arrive stays as it was typed, with the cause. No network, the registry away, the
// session ended: without this each of them would put an error page, or the sign-in, where the form was. Sent again it has
// the same key, so it counts once.
import { data, isRouteErrorResponse } from 'react-router';
import type { FormAnswer } from './form-answer.ts';
import { readUnreadForm } from '#app/platform/http/unread-form.ts';

/** Why a form did not arrive: in two words, and in sentences. */
export type NotSent = {
  typed: Record<string, string>;
  lost: NonNullable<FormAnswer['lost']> | undefined;
  cause: string;
};

/**
 * A route's client action: sends the form, and answers with `failure` (the form's own words, as in the specification's
 * catalogue) when it does not arrive.
 */
export const sendForm = <Sent>(
  { request, serverAction }: { request: Request; serverAction: () => Promise<Sent> },
  failure: string,
) =>
  keepTyped(request, serverAction, ({ typed, lost, cause }): FormAnswer => ({
    values: typed,
    errors: {},
    failure: `${failure} ${cause} `,
    ...(lost === undefined ? {} : { lost }),
    ...(lost === 'signed out' ? { link: { href: '/login', label: 'Sign in', inNewTab: true } } : {}),
  }));

/** Sends a form by `send` (a route's serverAction). When it does not arrive, `answer` makes the action's answer. */
export async function keepTyped<Answer, Sent>(
  request: Request,
  send: () => Promise<Sent>,
  answer: (notSent: NotSent) => Answer,
): Promise<Sent | ReturnType<typeof data<Answer>>> {
  const copy = request.clone();
  try {
    return await send();
  } catch (thrown) {
    const why = causeOf(thrown);
    // A way on, and a page that says more, is the registry's answer.
    if (why === undefined) throw thrown;
    const typed: Record<string, string> = {};
    for (const [name, value] of await copy.formData()) if (typeof value === 'string') typed[name] = value;
    const isButton = Object.keys(typed).every((name) => name === 'form_key');
    const cause = isButton ? why.cause.replace(KEPT, '') : why.cause;
    return data(answer({ typed, ...why, cause }), { status: why.lost === undefined ? 400 : 503 });
  }
}

function causeOf(thrown: unknown): Omit<NotSent, 'typed'> | undefined {
  if (thrown instanceof Response) {
    const location = thrown.headers.get('location');
    const to = location === null ? undefined : new URL(location, window.location.href);
    // The guard says where to go on after the sign-in; whoever logged out himself just goes there.
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
  // Lost on the way there or back: it may have been saved.
  return { lost: 'no answer', cause: `no-answer. The registry did not answer. ${KEPT}Try again in a moment.` };
}

const KEPT = 'What you typed is still here. ';

// Of a form that could not be read (platform/form.server.ts), or that was too large or came too often (problem details).
function sentenceOf(body: unknown): string | undefined {
  const unread = readUnreadForm(body);
  if (unread !== undefined) return unread.sentence;
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
