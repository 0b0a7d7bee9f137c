// The actions of the forms about a finding.
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { optionalText } from '#app/forms/text-fields.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { answerFinding, askTechnician, decideFinding, type StepAnswer } from './decide-finding.server.ts';
import { ANSWER_DAYS, CONCERNED, OUTCOMES, WORDS_MAX } from './finding.ts';

const decisionSchema = z
  .object({
    intent: z.enum(['ask', 'decide'], { error: 'Choose what to do.' }),
    outcome: z.enum(['', ...OUTCOMES.map(({ outcome }) => outcome)], { error: 'Choose one of the list.' }).default(''),
    words: optionalText(WORDS_MAX),
    opened_state: z.string().default(''),
  })
  .superRefine(({ intent, outcome, words }, context) => {
    if (intent !== 'decide') return;
    if (outcome === '') context.addIssue({ code: 'custom', path: ['outcome'], message: 'Choose what comes of it.' });
    if (words === '')
      context.addIssue({ code: 'custom', path: ['words'], message: 'Say why, for the other administrators.' });
  });
export type DecisionField = keyof z.infer<typeof decisionSchema>;

export function decideAction(submission: Submission, id: string) {
  const { db, now, config } = submission.context.get(servicesContext);
  const acting = { db, now, zone: config.timeZone };
  return submitForm(submission, {
    failure: FAILURES.finding,
    nothing: 'Nothing was decided.',
    schema: decisionSchema,
    async write({ input: { intent, outcome, words, opened_state: openedState }, key }) {
      const who = requireSignedIn(submission.context);
      if (intent === 'ask') {
        const answer = await askTechnician(acting, who, { id, key });
        return answer.done ? { goTo: { flash: 'technician-asked', to: `/patterns/${id}` } } : refuse(answer);
      }
      if (outcome === '') return refused<DecisionField>(400, { errors: { outcome: 'Choose what comes of it.' } });
      const answer = await decideFinding(acting, who, { id, outcome, words, openedState, key });
      return answer.done ? { goTo: { flash: 'finding-decided', to: `/patterns/${id}` } } : refuse(answer);
    },
  });
}

const answerSchema = z.object({
  words: optionalText(WORDS_MAX).refine((words) => words !== '', 'Write your answer.'),
});

export function answerAction(submission: Submission, id: string) {
  const { db, now, config } = submission.context.get(servicesContext);
  return submitForm(submission, {
    failure: FAILURES.finding,
    nothing: 'Nothing was sent.',
    schema: answerSchema,
    async write({ input: { words }, key }) {
      const who = requireSignedIn(submission.context);
      const answer = await answerFinding({ db, now, zone: config.timeZone }, who, { id, words, key });
      return answer.done ? { goTo: { flash: 'answer-sent', to: `/my-patterns/${id}` } } : refuse(answer);
    },
  });
}

function refuse({ reason }: StepAnswer & { done: false }) {
  if (reason === 'unknown') return refused<never>(404, CAUSES[reason]);
  return refused<never>(reason === 'stale' || reason === 'not-asked' ? 409 : 403, CAUSES[reason]);
}

const CAUSES = {
  unknown: { code: 'finding-unknown', sentence: 'There is no such finding.' },
  stale: {
    code: 'changed-meanwhile',
    sentence: 'Somebody did something about it since you opened it. Look at it again.',
  },
  'not-asked': {
    code: 'not-asked',
    sentence: `The technician may answer first, within ${ANSWER_DAYS} days from being asked.`,
  },
  'no-access': {
    code: 'no-access',
    sentence: 'This technician can no longer sign in, so they cannot be asked. Decide without an answer.',
  },
  'own-visits': { code: 'own-visits', sentence: CONCERNED['own-visits'] },
  'accepted-by-you': { code: 'accepted-by-you', sentence: CONCERNED['accepted-by-you'] },
  'admitted-by-you': { code: 'admitted-by-you', sentence: CONCERNED['admitted-by-you'] },
} as const;
