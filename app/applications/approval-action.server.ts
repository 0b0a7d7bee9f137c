// The action of 'Password Setup', the form that approves an application.
import { z } from 'zod';
import { parseEmailKey } from '#app/people/email.ts';
import { newPassword } from '#app/sign-in/sign-in-entry.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { approveApplication, type FirstPassword } from './approve-application.server.ts';
import { decidedWords } from './application-words.ts';

export type ApproveFormAnswer = FormAnswer<'by' | 'password'>;

const approvalSchema = z
  .object({ by: z.enum(['admin', 'link']).catch('admin'), password: z.string().default('') })
  .superRefine(({ by, password }, context) => {
    if (by === 'link') return;
    const parsed = newPassword.safeParse(password);
    const message = password === '' ? 'Password is mandatory field!' : parsed.error?.issues[0]?.message;
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['password'], message });
  });

export function approveAction(submission: Submission, id: string) {
  const services = submission.context.get(servicesContext);
  const who = requireSignedIn(submission.context);
  return submitForm(submission, {
    failure: FAILURES.approve,
    nothing: 'Nothing was changed.',
    schema: approvalSchema,
    async write({ input: { by, password }, key }) {
      const email = parseEmailKey(id);
      if (email === undefined) return UNKNOWN;
      const first: FirstPassword = by === 'link' ? { by } : { by, password };
      const answer = await approveApplication(services, who, { email, first, key });
      if (answer.approved) return { saved: { flash: 'technician-added', to: '/applications' } };
      switch (answer.reason) {
        case 'password':
          return refused(400, { errors: { password: answer.message } });
        case 'unknown':
          return UNKNOWN;
        case 'email-already-in-use':
          return refused(409, {
            code: 'email-already-in-use',
            sentence: 'There is already an account with this address. Nothing was changed, and the application stays.',
          });
        case 'decided':
          return refused(409, {
            code: `${answer.decision}-already`,
            sentence: decidedWords(answer, services.config.timeZone),
          });
      }
    },
  });
}

const UNKNOWN = refused(404, { code: 'application-unknown', sentence: 'There is no application with this address.' });
