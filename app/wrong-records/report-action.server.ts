// The action of every form on a report's page: the reporter's, the technician's and the office's.
import { z } from 'zod';
import { visitorOf } from '#app/access/visitor.server.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { optionalText } from '#app/forms/text-fields.ts';
import { retryIn, type Hit } from '#app/platform/database/rate-limit.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { addStep, type By } from './add-step.server.ts';
import { findReport } from './queries.server.ts';
import { storeAttachments, takeTry } from './receive-report.server.ts';
import { DECISIONS, isStep, REFUSALS, WORDS_MAX } from './report.ts';

/** `resend`: the mail that confirms. */
const stepSchema = z.object({
  intent: z.string().default(''),
  words: optionalText(WORDS_MAX),
  decision: z.enum(['', ...DECISIONS.map(({ value }) => value)], { error: 'Choose one of the list.' }).default(''),
  files: z.string().optional(),
});
const NEEDS_WORDS: Readonly<Record<string, string>> = {
  answered: 'Write your answer.',
  written: 'Write to the reporter.',
  decided: 'Say why, for the reporter.',
};

export const tooMany = (hit: Hit & { allowed: false }) =>
  refused<never>(429, {
    code: 'too-many-requests',
    sentence: `Too many were sent from here or to this address. Try again ${retryIn(hit.retryAfterSeconds)}.`,
    retryAfterSeconds: hit.retryAfterSeconds,
  });

/** `to`: the page of the report. `id` undefined: the link does not work any more. */
export function stepAction(submission: Submission, by: By, { id, to }: { id: string | undefined; to: string }) {
  const services = submission.context.get(servicesContext);
  return submitForm(submission, {
    failure: PUBLIC_FAILURES.report,
    nothing: 'Nothing was sent.',
    schema: stepSchema,
    async write({ input: { intent, words, decision }, key, form: { attached } }) {
      const report = id === undefined ? undefined : await findReport(services.db, id);
      if (report === undefined) return refused(404, REFUSALS.unknown);
      const resent = intent === 'resend' && report.state === 'received' ? report.email : null;
      if (by.audience === 'reporter') {
        const client = visitorOf(submission.request, submission.context).address;
        const hit = await takeTry(services, client, resent ?? undefined);
        if (!hit.allowed) return tooMany(hit);
        if (resent !== null) {
          const facts = { report: report.id, step: 'received' };
          await queueMail(services.db, { kind: 'report-news', recipient: resent, facts });
          return { goTo: { to, flash: 'report-sent' } };
        }
      }
      if (!isStep(intent) || intent === 'received') return refused(400, { code: 'no-step', sentence: 'Use the buttons of the page.' });
      const missing = NEEDS_WORDS[intent] ?? (intent === 'added' && attached.length === 0 ? 'Write something, or add a file.' : undefined);
      if (missing !== undefined && words === '') return refused(400, { errors: { words: missing } });
      if (intent === 'decided' && decision === '') return refused(400, { errors: { decision: 'Choose a decision.' } });
      const files = await storeAttachments(services, attached);
      if (typeof files === 'string') return refused(400, { errors: { files } });
      const decided = intent === 'decided' && decision !== '' ? decision : undefined;
      const answer = await addStep(services, by, { id: report.id, step: intent, words, decision: decided, files, key });
      if (answer.done) return { goTo: { to, flash: 'report-sent' } };
      const { reason } = answer;
      if (reason === 'no-act') return refused(409, { errors: { decision: REFUSALS[reason].sentence } });
      return refused(STATUS[reason] ?? 409, REFUSALS[reason]);
    },
  });
}

const STATUS: Readonly<Record<string, number>> = { unknown: 404, 'not-yours': 403 };
