// What /login and /tech-login have in common behind the page: form in, redirect or failure out.
import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { carryNotice } from '#app/platform/http/notice-cookie.server.ts';
import { retryIn } from '#app/platform/database/rate-limit.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { signInSchema } from './sign-in-entry.ts';
import { returnPath, returnQuery } from './return-path.ts';
import { signedInContext } from '#app/access/session.server.ts';
import { signIn, type SignInAnswer } from './sign-in.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';

/** Whoever is signed in already goes on. */
export function signInLoader({ context, url }: LoaderFunctionArgs): null {
  if (context.get(signedInContext) !== null) throw redirect(returnPath(url.searchParams.get('to')));
  return null;
}

export function signInAction(args: ActionFunctionArgs) {
  const { request, context, url } = args;
  return submitForm(args, {
    failure: FAILURES.signIn,
    nothing: 'Nobody can be signed in just now.',
    schema: signInSchema,
    async write({ input }) {
      const answer = await signIn(context.get(services), visitorOf(request, context), input);
      switch (answer.state) {
        case 'refused':
          return refused(401, { info: 'Email and password does not match.' });
        case 'too-many':
          return tooMany(answer.retryAfterSeconds);
        default:
          return goOn(answer, url.searchParams.get('to'));
      }
    },
  });
}

/** Of tries to sign in. */
export const tooMany = (retryAfterSeconds: number) =>
  refused(429, {
    cause: `too-many-requests. Too many tries. Try again ${retryIn(retryAfterSeconds)}.`,
    retryAfterSeconds,
  });

/** Where a sign-in goes on: a new password or the code first, where one applies. */
export function goOn(
  answer: Extract<SignInAnswer, { state: 'signed-in' | 'second-factor' }>,
  to: string | null,
): Response {
  const headers = new Headers();
  for (const line of answer.setCookies) headers.append('set-cookie', line);
  if (answer.state === 'second-factor') return redirect(`/second-factor${returnQuery(to)}`, { status: 303, headers });
  headers.append('set-cookie', carryNotice('signed-in'));
  const next = answer.mustChangePassword ? `/new-password${returnQuery(to)}` : returnPath(to);
  return redirect(next, { status: 303, headers });
}
