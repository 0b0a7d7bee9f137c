// The actions of the forms about one weighbridge.
import { data, redirect } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refuseStale } from '#app/forms/refuse-stale.server.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { wasRefused } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { addReference } from './add-reference.server.ts';
import { addRepair } from './add-repair.server.ts';
import { addVerification } from './add-verification.server.ts';
import { findReference, findVerification, type Reference, type Verification } from './queries.server.ts';
import { textsOf } from './reference-columns.server.ts';
import {
  coordinatesRefused,
  periodOf,
  referenceSchema,
  repairSchema,
  verificationSchema,
  withdrawalSchema,
} from './reference-entry.ts';
import { referenceLine } from './reference.ts';
import { updateReference } from './update-reference.server.ts';
import { withdrawVerification } from './withdraw-verification.server.ts';

type Context = Submission['context'];

/** The weighbridge of a page's address. Throws a 404 when there is none. */
export async function referenceOf(context: Context, id: string): Promise<Reference & { changedBy: string }> {
  const found = await findReference(context.get(servicesContext).db, id);
  if (found === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return found;
}

/** What the page of a form about a weighbridge shows of it. */
export async function formPage(context: Context, id: string) {
  const reference = await referenceOf(context, id);
  return { id: reference.id, line: referenceLine(reference), idempotencyKey: newIdempotencyKey() };
}

/** A period that can be withdrawn. Throws a redirect to the page that says that it was. */
export async function periodToWithdraw(
  context: Context,
  which: { referenceId: string; verificationId: string },
): Promise<Verification> {
  const found = await findVerification(context.get(servicesContext).db, which);
  if (found === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  if (found.removedAt !== null && !context.get(wasRefused)) throw redirect(pageOf(which.referenceId));
  return found;
}

const todayOf = (context: Context) => {
  const { config, now } = context.get(servicesContext);
  return todayIn(config.timeZone, now());
};

const pageOf = (id: string) => `/references/${id}`;
const UNKNOWN = refused(404, {
  code: 'weighbridge-unknown',
  sentence: 'There is no such weighbridge in this register.',
});

const exists = (id: string, name: string) =>
  refused<'name'>(409, {
    code: 'weighbridge-exists',
    sentence: 'The register has a weighbridge of this name and place.',
    errors: { name: 'The register has a weighbridge of this name and place.' },
    link: { href: pageOf(id), label: `Open ${name}` },
  });

export function addAction(submission: Submission) {
  return submitForm(submission, {
    failure: FAILURES.addReference,
    schema: referenceSchema,
    async write({ input, key }) {
      const errors = coordinatesRefused(input);
      if (errors !== undefined) return refused(400, { errors });
      const { db } = submission.context.get(servicesContext);
      const answer = await addReference(db, requireSignedIn(submission.context), { input, key });
      return answer.added
        ? { saved: { flash: 'reference-added', to: pageOf(answer.id) } }
        : exists(answer.id, input.name);
    },
  });
}

export function updateAction(submission: Submission, id: string) {
  return submitForm(submission, {
    failure: FAILURES.updateReference,
    schema: referenceSchema,
    async write({ input, key, form }) {
      const errors = coordinatesRefused(input);
      if (errors !== undefined) return refused(400, { errors });
      const { db } = submission.context.get(servicesContext);
      const answer = await updateReference(db, requireSignedIn(submission.context), { id, input, key });
      if (answer.updated) return { saved: { flash: 'reference-updated', to: pageOf(id) } };
      if (answer.reason === 'exists') return exists(answer.id, input.name);
      const now = await findReference(db, id);
      if (now === undefined) return UNKNOWN;
      const current = { what: 'weighbridge', version: now.version, by: now.changedBy, texts: textsOf(now) } as const;
      return refuseStale(referenceSchema, form, { now: current, button: 'Update weighbridge' });
    },
  });
}

export function verifyAction(submission: Submission, id: string) {
  return submitForm(submission, {
    failure: FAILURES.addVerification,
    schema: verificationSchema(todayOf(submission.context)),
    uploads: { certificate: 'certificate' },
    async write({ input, key, form }) {
      const period = periodOf(input);
      if (!period.ok) return refused(400, { errors: { to: period.message } });
      const services = submission.context.get(servicesContext);
      const { fromOn, toOn } = period;
      const answer = await addVerification(services, requireSignedIn(submission.context), {
        referenceId: id,
        period: { certificateNumber: input.certificate_number, fromOn, toOn },
        file: form.fields.get('certificate') ?? '',
        key,
      });
      if (answer.added) return { saved: { flash: 'verification-added', to: pageOf(id) } };
      switch (answer.reason) {
        case 'unknown':
          return UNKNOWN;
        case 'exists':
          return refused(409, {
            code: 'period-exists',
            sentence: 'This certificate is recorded from that day already.',
            errors: { certificate_number: 'This certificate is recorded from that day already.' },
          });
        case 'file-missing':
          return refused(400, {
            code: 'file-missing',
            sentence: 'Unsaved files are kept for one day, and this one is gone. Choose it again.',
          });
      }
    },
  });
}

export function withdrawAction(submission: Submission, which: { referenceId: string; verificationId: string }) {
  return submitForm(submission, {
    failure: FAILURES.withdrawVerification,
    schema: withdrawalSchema,
    async write({ input, key }) {
      const { db } = submission.context.get(servicesContext);
      const who = requireSignedIn(submission.context);
      const answer = await withdrawVerification(db, who, { which, reason: input.reason, key });
      // At once: from now on the form's own page leads there too.
      if (answer.withdrawn) return { goTo: { flash: 'verification-withdrawn', to: pageOf(which.referenceId) } };
      return answer.reason === 'unknown'
        ? refused(404, { code: 'period-unknown', sentence: 'There is no such verification period.' })
        : refused(409, { code: 'withdrawn-already', sentence: 'Somebody else withdrew this period.' });
    },
  });
}

export function repairAction(submission: Submission, id: string) {
  return submitForm(submission, {
    failure: FAILURES.addRepair,
    schema: repairSchema(todayOf(submission.context)),
    async write({ input, key }) {
      const { db } = submission.context.get(servicesContext);
      const answer = await addRepair(db, requireSignedIn(submission.context), { referenceId: id, ...input, key });
      return answer.added ? { saved: { flash: 'repair-added', to: pageOf(id) } } : UNKNOWN;
    },
  });
}
