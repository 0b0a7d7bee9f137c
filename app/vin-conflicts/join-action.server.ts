// The actions of the forms about records that share a VIN.
import { href } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { TOO_NEW } from '#app/people/two-people.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { decideJoin, joinRecords } from './join-records.server.ts';
import { partRecords, UNDO_DAYS } from './part-records.server.ts';
import { tellApart } from './tell-apart.server.ts';

const conflictSchema = z
  .object({
    first: z.uuid(),
    second: z.uuid(),
    keep: z.string().default(''),
    way: z.enum(['join', 'two'], { error: 'Choose whether it is one truck or two.' }),
  })
  .refine(({ first, second, keep, way }) => way === 'two' || keep === first || keep === second, {
    path: ['keep'],
    error: 'Choose which record keeps its address.',
  });

const WHY_NOT = {
  gone: {
    code: 'decided-already',
    sentence: 'Somebody decided about these records meanwhile, or they share no VIN any more.',
  },
  'both-wanted': {
    code: 'both-wanted',
    sentence: 'Both are to be weighed again. Withdraw one of the check visits first.',
  },
  'asked-already': { code: 'asked-already', sentence: 'This join waits for another administrator already.' },
  own: { code: 'own-join', sentence: 'You asked for this join yourself. Another administrator has to confirm it.' },
  'too-new': { code: 'too-new', sentence: TOO_NEW },
  'too-late': { code: 'too-late', sentence: `A join can be undone for ${UNDO_DAYS} days.` },
  recorded: { code: 'recorded', sentence: 'Something was recorded on the joined record since, so it stays joined.' },
  taken: { code: 'plate-taken', sentence: 'Another vehicle has its plate now. Change that one first.' },
} as const;

const viewOf = (rego: string): string => href('/vehicles/view/:rego', { rego });

export function conflictAction(submission: Submission) {
  return submitForm(submission, {
    failure: FAILURES.join,
    nothing: 'Nothing was changed.',
    schema: conflictSchema,
    async write({ input: { first, second, keep, way }, key }) {
      const services = submission.context.get(servicesContext);
      const who = requireSignedIn(submission.context);
      if (way === 'two') {
        const answer = await tellApart(services, who, { ids: [first, second], key });
        return answer.told
          ? { goTo: { flash: 'two-trucks', to: href('/vehicles/vins') } }
          : refused(409, WHY_NOT[answer.reason]);
      }
      const vehicleId = keep === first ? second : first;
      const answer = await joinRecords(services, who, { vehicleId, keptId: keep, key });
      if (answer.joined) return { goTo: { flash: 'records-joined', to: viewOf(answer.rego) } };
      if ('asked' in answer) return { goTo: { flash: 'join-asked', to: href('/vehicles/vins') } };
      return refused(409, WHY_NOT[answer.reason]);
    },
  });
}

const decisionSchema = z.object({
  id: z.string().default(''),
  decision: z.enum(['confirm', 'decline', 'undo'], { error: 'Choose whether to confirm or to decline.' }),
});

export function joinAction(submission: Submission) {
  return submitForm(submission, {
    failure: FAILURES.join,
    nothing: 'Nothing was changed.',
    schema: decisionSchema,
    async write({ input: { id, decision }, key }) {
      const services = submission.context.get(servicesContext);
      const who = requireSignedIn(submission.context);
      if (decision === 'undo') {
        const answer = await partRecords(services, who, { id, key });
        return answer.parted
          ? { goTo: { flash: 'records-parted', to: viewOf(answer.rego) } }
          : refused(409, WHY_NOT[answer.reason]);
      }
      const isConfirmed = decision === 'confirm';
      const answer = await decideJoin(services, who, { id, isConfirmed, key });
      return answer.decided
        ? { goTo: { flash: isConfirmed ? 'records-joined' : 'join-declined', to: viewOf(answer.rego) } }
        : refused(409, WHY_NOT[answer.reason]);
    },
  });
}
