// 'Password Setup' as it comes in, and the answer to the admin.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { newPassword, parseEmailKey } from '#app/account/account.ts';
import { requireSignedIn } from '#app/account/session.server.ts';
import { fieldsOf, isScripted } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import type { Saved } from '#app/ui/use-saved.ts';
import { approveApplication, type ApproveAnswer, type FirstPassword } from './approve-application.server.ts';
import { APPROVE_FAILURE as FAILURE, decidedWords } from './application-words.ts';

/** `error` stands at the password. It is never sent back. */
export type ApproveFormAnswer = { error: string | null; failure?: string; saved?: Saved };

const MANDATORY = 'Password is mandatory field!';

const approvalSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('link') }),
  z.object({
    by: z.literal('admin'),
    password: z.string({ error: MANDATORY }).min(1, { error: MANDATORY, abort: true }).pipe(newPassword),
  }),
]);

export async function approveAction(request: Request, context: Readonly<RouterContextProvider>, key: string) {
  const given = context.get(services);
  const form = await fieldsOf(request);
  const parsed = approvalSchema.safeParse({ by: form.get('by') ?? 'admin', password: form.get('password') ?? '' });
  if (!parsed.success)
    return data<ApproveFormAnswer>({ error: parsed.error.issues[0]?.message ?? MANDATORY }, { status: 400 });
  const first: FirstPassword = parsed.data;
  const refuse = (status: number, cause: string) =>
    data<ApproveFormAnswer>({ error: null, failure: `${FAILURE} ${cause}` }, { status });
  const email = parseEmailKey(key);
  if (email === undefined) return refuse(404, 'application-unknown. There is no application with this address.');
  try {
    const answer = await approveApplication(given, requireSignedIn(context), email, first, form.get('form_key'));
    if (!answer.approved) return refused(answer);
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'a technician was not added');
    return refuse(503, 'registry-unavailable. Nothing was changed. Try again in a moment.');
  }
  if (!isScripted(request))
    return redirect('/applications', { status: 303, headers: { 'set-cookie': carryNotice('technician-added') } });
  return data<ApproveFormAnswer>({ error: null, saved: { notice: 'technician-added', to: '/applications' } });

  function refused(answer: ApproveAnswer & { approved: false }) {
    switch (answer.reason) {
      case 'password':
        return data<ApproveFormAnswer>({ error: answer.message }, { status: 400 });
      case 'unknown':
        return refuse(404, 'application-unknown. There is no application with this address.');
      case 'email-already-in-use':
        return refuse(
          409,
          'email-already-in-use. An account with this address exists, and nothing was changed. The application stays.',
        );
      case 'decided':
        return refuse(409, `${answer.decision}-already. It was ${decidedWords(answer, given.config.timeZone)}`);
    }
  }
}
