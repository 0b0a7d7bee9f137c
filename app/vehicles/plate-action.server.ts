// The actions of the forms that change a plate, and decide about a change that a technician asked for.
import { href } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { changePlate } from './change-plate.server.ts';
import { takenSentence, type Plate } from './choose-rego.server.ts';
import { decidePlate, listPlateRequests } from './decide-plate.server.ts';
import { plateSchema, type PlateField } from './plate-entry.ts';
import { plateWords } from './plates.ts';
import type { PlateRefusal } from './replate.server.ts';
import { plateText } from './plate-text.ts';

/** `rego`: what the vehicle is called now. */
export function changePlateAction(submission: Submission, rego: string) {
  return submitForm(submission, {
    failure: FAILURES.plate,
    nothing: 'Nothing was changed.',
    schema: plateSchema,
    async write({ input: { rego: text, plate_state: state, from: fromOn, why, opened }, key }) {
      const input = { text, state, fromOn, why, opened };
      const who = requireSignedIn(submission.context);
      const answer = await changePlate(submission.context.get(servicesContext), who, { rego, input, key });
      const pageOf = (now: string) => href('/vehicles/view/:rego', { rego: now });
      if (answer.changed) return { saved: { flash: 'plate-changed', to: pageOf(answer.rego) } };
      if ('asked' in answer) return { saved: { flash: 'plate-asked', to: pageOf(rego) } };
      switch (answer.reason) {
        case 'removed':
          return refused(409, { code: 'vehicle-removed', sentence: 'This vehicle has been removed.' });
        case 'unknown':
          return refused(404, { code: 'vehicle-unknown', sentence: `There is no vehicle with rego ${rego}.` });
        case 'stale':
          return refused(409, {
            code: 'changed-meanwhile',
            sentence: `Somebody changed it meanwhile: the plate is ${plateWords(plateText(answer.now.rego), answer.now.plateState)} now.`,
            link: { href: href('/vehicles/plate/:rego', { rego: answer.now.rego }), label: 'Open this form again' },
          });
        case 'asked-already':
          return refused(409, {
            code: 'asked-already',
            sentence: 'A change of this plate waits for an administrator already.',
          });
        default: {
          const { field, ...why } = whyNot(answer, { text, state });
          return refused(why.status, { ...why, errors: { [field]: why.sentence } });
        }
      }
    },
  });
}

const decisionSchema = z.object({
  decision: z.enum(['confirm', 'decline'], { error: 'Choose whether to confirm or to decline.' }),
});

export function decidePlateAction(submission: Submission, id: string) {
  return submitForm(submission, {
    failure: FAILURES.plate,
    nothing: 'Nothing was changed.',
    schema: decisionSchema,
    async write({ input: { decision }, key }) {
      const services = submission.context.get(servicesContext);
      const [request] = await listPlateRequests(services.db, id);
      const isConfirmed = decision === 'confirm';
      const answer = await decidePlate(services, requireSignedIn(submission.context), { id, isConfirmed, key });
      if (answer.decided)
        return {
          goTo: {
            flash: isConfirmed ? 'plate-changed' : 'plate-declined',
            to: href('/vehicles/view/:rego', { rego: answer.rego }),
          },
        };
      if (answer.reason === 'gone' || request === undefined)
        return refused(409, { code: 'decided-already', sentence: 'This change waits no longer.' });
      const { field: _, ...why } = whyNot(answer, { text: request.rego, state: request.state });
      return refused(409, why);
    },
  });
}

type WhyNot = {
  field: PlateField;
  status: number;
  code: string;
  sentence: string;
  link?: { href: string; label: string };
};

function whyNot(refusal: PlateRefusal, plate: Plate): WhyNot {
  switch (refusal.reason) {
    case 'same':
      return { field: 'rego', status: 400, code: 'plate-same', sentence: 'That is the plate that it has.' };
    case 'state-added':
      return {
        field: 'plate_state',
        status: 400,
        code: 'plate-same',
        sentence: 'The plate stays the same. Enter its state where you edit the vehicle.',
      };
    case 'future':
      return { field: 'from', status: 400, code: 'day-wrong', sentence: 'This day is in the future. Check the date.' };
    case 'too-early':
      return {
        field: 'from',
        status: 400,
        code: 'day-wrong',
        sentence: `The truck has its present plate since ${formatDay(refusal.since)}. Enter a later day.`,
      };
    case 'overlaps':
      return {
        field: 'from',
        status: 400,
        code: 'day-wrong',
        sentence: `Another truck, now ${refusal.rego}, had this plate until ${formatDay(refusal.untilOn)}.`,
      };
    case 'taken':
      return {
        field: 'rego',
        status: 409,
        code: 'plate-taken',
        sentence: takenSentence(plate, refusal.other),
        link: {
          href: href('/vehicles/view/:rego', { rego: refusal.other.rego }),
          label: `Open ${plateWords(plateText(refusal.other.rego), refusal.other.plateState)}`,
        },
      };
  }
}
