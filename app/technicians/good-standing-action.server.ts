// What the forms about a technician's good standing have in common: the technician of the address, and the words of a
// refusal.
import { redirect } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { refused, type Submission } from '#app/forms/submit-form.server.ts';
import { emailSegment } from '#app/people/email-key.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { requireTechnician, type Technician } from './queries.server.ts';
import type { NotDecided } from './suspend-technician.server.ts';

/** The live technician of an address; 404 when there is none, and the page of one who was removed says so. */
export async function requireLiveTechnician(context: Submission['context'], id: string): Promise<Technician> {
  const found = await requireTechnician(context.get(servicesContext).db, id);
  if (found.deletedAt !== null) throw redirect(viewOf(found));
  return found;
}

/** The page of a technician. */
export const viewOf = ({ email }: Pick<Technician, 'email'>): string => `/technicians/view/${emailSegment(email)}`;

/** What the page of each form shows of its technician. */
export const goodStandingPage = (technician: Technician) => ({
  name: technician.repName || technician.companyName || technician.email,
  back: viewOf(technician),
  idempotencyKey: newIdempotencyKey(),
});

/** The day it is for the registry. */
export function todayOf(context: Submission['context']): string {
  const { config, now } = context.get(servicesContext);
  return todayIn(config.timeZone, now());
}

/** Whether the technician is the person who asks. */
export const isSelf = (context: Submission['context'], { personId }: Technician): boolean =>
  requireSignedIn(context).personId === personId;

/** The answer to a form on whose technician its sender cannot decide. */
export function refuseDecision(not: NotDecided) {
  switch (not.reason) {
    case 'unknown':
      return refused(404, { code: 'technician-unknown', sentence: 'There is no technician with this address.' });
    case 'removed':
      return refused(410, {
        code: 'record-removed',
        sentence: `${not.by} removed this technician. Nothing was saved.`,
      });
    case 'self':
      return refused(409, {
        code: 'self',
        sentence: 'This is your own record. Another administrator decides about it.',
      });
  }
}
