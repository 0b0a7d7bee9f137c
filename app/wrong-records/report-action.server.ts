// The action of every form on a report's page: the reporter's, the technician's and the office's.
import { z } from 'zod';
import { visitorOf } from '#app/access/visitor.server.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { optionalText } from '#app/forms/text-fields.ts';
import { retryIn, type Hit } from '#app/platform/database/rate-limit.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { addStep } from './add-step.server.ts';
import { storeAttachments, takeTry } from './receive-report.server.ts';
import { readerOf } from './report-reader.server.ts';
import { DECISIONS, isStep, REFUSALS, WORDS_MAX } from './report.ts';

const stepSchema = z.object({
  intent: z.string().default(''),
  words: optionalText(WORDS_MAX),
  decision: z.enum(['', ...DECISIONS.map(({ value }) => value)], { error: 'Choose one of the list.' }).default(''),
  files: z.string().optional(),
});
const WANTED: Readonly<Record<string, string>> = {
  answered: 'Write your answer.',
  added: 'Write something, or add a file.',
  decided: 'Say why, for the reporter.',
};

export const tooMany = ({ retryAfterSeconds }: Hit & { allowed: false }) =>
  refused<never>(429, {
    code: 'too-many-requests',
    sentence: `Too many were sent from here or to this address. Try again ${retryIn(retryAfterSeconds)}.`,
    retryAfterSeconds,
  });

export async function stepAction(submission: Submission & Parameters<typeof readerOf>[0]) {
  const { request, context, url } = submission;
  const services = context.get(servicesContext);
  const found = await readerOf(submission);
  return submitForm(submission, {
    failure: PUBLIC_FAILURES.report,
    nothing: 'Nothing was sent.',
    schema: stepSchema,
    async write({ input: { intent, words, decision: chosen }, key, form: { attached } }) {
      if (found === undefined) return refused(404, { code: 'report-unknown', sentence: REFUSALS.unknown });
      const { report, by } = found;
      const hit = by.as === 'reporter' ? await takeTry(services, visitorOf(request, context).address) : undefined;
      if (hit?.allowed === false) return tooMany(hit);
      if (!isStep(intent) || intent === 'received') return refused(400, { code: 'stale', sentence: REFUSALS.stale });
      const wanted = intent === 'added' && attached.length > 0 ? undefined : WANTED[intent];
      if (wanted !== undefined && words === '') return refused(400, { errors: { words: wanted } });
      const decision = intent === 'decided' && chosen !== '' ? chosen : undefined;
      if (intent === 'decided' && decision === undefined)
        return refused(400, { errors: { decision: 'Choose a decision.' } });
      const files = await storeAttachments(services, attached);
      if (typeof files === 'string') return refused(400, { errors: { files } });
      const answer = await addStep(services, by, { id: report.id, step: intent, words, decision, files, key });
      if (answer.done) return { goTo: { to: `${url.pathname}${url.search}`, flash: 'report-sent' } };
      const { reason } = answer;
      if (reason === 'no-act') return refused(409, { errors: { decision: REFUSALS[reason] } });
      return refused(STATUS[reason] ?? 409, { code: reason, sentence: REFUSALS[reason] });
    },
  });
}

const STATUS: Readonly<Record<string, number>> = { unknown: 404, 'not-yours': 403 };
