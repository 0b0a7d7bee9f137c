// In the browser: a form that did not arrive stays as it was typed, with the cause. No network, the registry away, the
// session ended: without this each of them would put an error page, or the sign-in, where the form was.
import { data, isRouteErrorResponse } from 'react-router';

/** Why a form did not arrive, in words; `isSignedOut`: signing in (elsewhere) helps. */
export type NotSent = { typed: Record<string, string>; cause: string; isSignedOut: boolean };

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
    const location = thrown instanceof Response ? thrown.headers.get('location') : null;
    const isSignedOut = location !== null && new URL(location, window.location.href).pathname === '/login';
    // Any other way on, and a refusal, is the registry's answer.
    if (location !== null && !isSignedOut) throw thrown;
    if (isRouteErrorResponse(thrown) && thrown.status < 500) throw thrown;
    const typed: Record<string, string> = {};
    for (const [name, value] of await copy.formData()) if (typeof value === 'string') typed[name] = value;
    return data(answer({ typed, cause: causeOf(isSignedOut), isSignedOut }), { status: 503 });
  }
}

function causeOf(isSignedOut: boolean): string {
  if (isSignedOut)
    return 'signed-out. Your session has ended, and nothing was saved. What you typed is still here: sign in in another tab, then send it again.';
  return navigator.onLine
    ? 'registry-unavailable. Nothing was saved. What you typed is still here: try again in a moment.'
    : 'no-network. Nothing was saved, as this device is offline. What you typed is still here: send it again when you are back.';
}
