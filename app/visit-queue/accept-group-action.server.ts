// The action of the form that accepts a group of visits: each by itself, with its own decision and log entry.
import { requireSignedIn } from '#app/access/session.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { NO_FIELDS, refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { GROUP_MAX } from './taken-over-group.server.ts';

const HOW = { decision: 'accepted', reason: 'taken-over-line', note: '', openedState: 'waits' } as const;

export function acceptGroupAction(submission: Submission) {
  const { db, now } = submission.context.get(servicesContext);
  return submitForm(submission, {
    failure: FAILURES.visit,
    nothing: 'Some may be decided.',
    schema: NO_FIELDS,
    async write({ form, key }) {
      const who = requireSignedIn(submission.context);
      const tokens = (form.all.get('visit') ?? []).slice(0, GROUP_MAX);
      if (tokens.length === 0) return refused<never>(400, { code: 'none-opened', sentence: 'Open each visit before.' });
      let accepted = 0;
      for (const token of tokens) {
        const [id = '', openedAs = ''] = token.split('.');
        const answer = await decideVisit(db, who, id, { ...HOW, openedAs }, { now: now(), key });
        if (answer.decided) accepted++;
      }
      if (accepted === tokens.length) return { goTo: { flash: 'visits-accepted', to: '/visits' } };
      const sentence = `${accepted} of ${tokens.length} are accepted. The others have changed since you opened them, or are not yours to decide.`;
      return refused<never>(409, { code: 'changed-meanwhile', sentence });
    },
  });
}
