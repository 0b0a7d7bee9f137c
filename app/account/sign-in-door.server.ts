// What /login and /tech-login have in common behind the page: form in, redirect or failure out.
import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router';
import { fieldsOf, readForm } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { retryIn } from '#app/platform/rate-limit.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { signInSchema } from './account.ts';
import { returnPath, returnQuery } from './return-path.ts';
import { signedInContext } from './session.server.ts';
import { signIn, type SignInAnswer } from './sign-in.server.ts';
import type { SignInFailure } from './sign-in-page.tsx';
import { visitorOf } from './visitor.server.ts';

const AWAY = {
  kind: 'error',
  text: 'registry-unavailable. Nobody can be signed in just now. Try again in a moment.',
} as const;

/** Whoever is signed in already goes on. */
export function signInLoader({ context, url }: LoaderFunctionArgs): null {
  if (context.get(signedInContext) !== null) throw redirect(returnPath(url.searchParams.get('to')));
  return null;
}

export async function signInAction({ request, context, url }: ActionFunctionArgs) {
  const form = readForm(signInSchema, await fieldsOf(request));
  if (!form.ok) return data<SignInFailure>({ values: form.values, errors: form.errors }, { status: 400 });
  const given = context.get(services);
  const answer = await signIn(given, visitorOf(request, context), form.input).catch((error: unknown) => {
    given.log.error({ err: error, request: context.get(requestId) }, 'a sign-in failed');
    return undefined;
  });
  if (answer === undefined)
    return data<SignInFailure>({ notice: AWAY, values: form.values, errors: {} }, { status: 503 });
  if (answer.state === 'refused' || answer.state === 'too-many') {
    const failure: SignInFailure = { notice: noticeOf(answer), values: form.values, errors: {} };
    return data(failure, answerInit(answer));
  }
  return goOn(answer, url.searchParams.get('to'));
}

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

/** The words of a refusal. */
export function noticeOf(answer: Extract<SignInAnswer, { state: 'refused' | 'too-many' }>) {
  return answer.state === 'refused'
    ? ({ kind: 'info', text: 'Email and password does not match.' } as const)
    : ({ kind: 'error', text: `Too many tries. Try again ${retryIn(answer.retryAfterSeconds)}.` } as const);
}

export function answerInit(answer: Extract<SignInAnswer, { state: 'refused' | 'too-many' }>): ResponseInit {
  return answer.state === 'refused'
    ? { status: 401 }
    : { status: 429, headers: { 'retry-after': String(answer.retryAfterSeconds) } };
}
