// The loader and action that /login and /tech-login share.
import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, refusedTooMany, submitForm, type Outcome } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { signInSchema } from './sign-in-entry.ts';
import { returnPath, returnQuery } from './return-path.ts';
import { signedInContext } from '#app/access/session.server.ts';
import { signIn, type SignInAnswer } from './sign-in.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';

/** Redirects a user who is signed in already. */
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
      const answer = await signIn(context.get(servicesContext), visitorOf(request, context), input);
      switch (answer.state) {
        case 'refused':
          return refused(401, { info: 'Email and password does not match.' });
        case 'too-many':
          return refusedTooMany('Too many tries.', answer.retryAfterSeconds);
        default:
          return goOn(answer, url.searchParams.get('to'));
      }
    },
  });
}

/** The message at the field of a wrong password or code, or of too many. */
export function refusalOf(not: { field: string; message: string; retryAfterSeconds?: number }) {
  const { field, message, retryAfterSeconds } = not;
  const errors = { [field]: message };
  return retryAfterSeconds === undefined ? refused(400, { errors }) : refused(429, { errors, retryAfterSeconds });
}

/** The redirect after a correct password: to the second step or a new password if required, else to the return path. */
export function goOn(
  answer: Extract<SignInAnswer, { state: 'signed-in' | 'second-factor' }>,
  to: string | null,
): Outcome<never> {
  const { setCookies } = answer;
  if (answer.state === 'second-factor') return { goTo: { to: `/second-factor${returnQuery(to)}` }, setCookies };
  const next = answer.mustChangePassword ? `/new-password${returnQuery(to)}` : returnPath(to);
  return { goTo: { flash: 'signed-in', to: next }, setCookies };
}
