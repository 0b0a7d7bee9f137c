// Who reads a report at an address, and the action of every form there: the reporter's, by a secret address, that of
// the technician who is asked, and the office's.
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, refusedTooMany, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { optionalText } from '#app/forms/text-fields.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import type { ReportStep } from '#database/report-tables.ts';
import { addStep, type Reader } from './add-step.server.ts';
import { findLink, findReport, stepsOf, type StoredReport } from './queries.server.ts';
import { storeAttachments, takeTry } from './receive-report.server.ts';
import { DECISIONS, isStep, REFUSALS, WORDS_MAX } from './report.ts';

type Asked = {
  params: { token?: string | undefined; id?: string | undefined };
  context: Readonly<RouterContextProvider>;
  url: URL;
};

/** Undefined: there is no such report, it is not theirs, or the link does not work any more. */
export async function readerOf({
  params,
  context,
  url,
}: Asked): Promise<{ report: StoredReport; by: Reader } | undefined> {
  const { db, now } = context.get(servicesContext);
  if (params.token !== undefined) {
    const link = await findLink(db, params.token, { now: now(), report: url.searchParams.get('report') ?? '' });
    const report = await findReport(db, link?.reportId ?? '');
    return report && { report, by: { as: 'reporter', byMail: link?.byMail === true } };
  }
  const who = requireSignedIn(context);
  const report = await findReport(db, params.id ?? '');
  if (report === undefined) return undefined;
  const steps = await stepsOf(db, report.id);
  const has = (name: ReportStep) => steps.some(({ step }) => step === name);
  const as = url.pathname.startsWith('/my-') ? 'technician' : 'office';
  // Nobody reads a report before its address is confirmed.
  const isTheirs = as === 'office' ? has('confirmed') : has('asked') && report.personId === who.personId;
  return isTheirs ? { report, by: { as, who } } : undefined;
}

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

/** The refusal of a client, or an address, that sends too much; undefined: it goes on. */
export async function refuseTry({ request, context }: Submission, email?: string) {
  const hit = await takeTry(context.get(servicesContext), visitorOf(request, context).address, email);
  if (hit.allowed) return undefined;
  return refusedTooMany('Too many were sent from here or to this address.', hit.retryAfterSeconds);
}

export async function stepAction(submission: Submission & Asked) {
  const { context, url } = submission;
  const services = context.get(servicesContext);
  const found = await readerOf(submission);
  return submitForm(submission, {
    failure: PUBLIC_FAILURES.report,
    nothing: 'Nothing was sent.',
    schema: stepSchema,
    async write({ input: { intent, words, decision: chosen }, key, form }) {
      if (found === undefined) return refused(404, { code: 'report-unknown', sentence: REFUSALS.unknown });
      const { report, by } = found;
      const tooMany = by.as === 'reporter' ? await refuseTry(submission) : undefined;
      if (tooMany !== undefined) return tooMany;
      if (!isStep(intent) || intent === 'received') return refused(400, { code: 'stale', sentence: REFUSALS.stale });
      const wanted = intent === 'added' && form.files.length > 0 ? undefined : WANTED[intent];
      if (wanted !== undefined && words === '') return refused(400, { errors: { words: wanted } });
      const decision = intent === 'decided' && chosen !== '' ? chosen : undefined;
      if (intent === 'decided' && decision === undefined)
        return refused(400, { errors: { decision: 'Choose a decision.' } });
      const files = await storeAttachments(services, form.files);
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
