// Reports that a record is wrong, for tests.
import { randomUUID } from 'node:crypto';
import type { SignedIn } from '#app/access/session.server.ts';
import {
  addStep,
  type AskedStep,
  type Reader,
  type ReportServices,
  type StepAnswer,
} from '#app/wrong-records/add-step.server.ts';
import { findTarget, receiveReport } from '#app/wrong-records/receive-report.server.ts';
import { findLink } from '#app/wrong-records/queries.server.ts';
import type { ReportKind } from '#database/report-tables.ts';

/** Whose words and address nobody else may see. */
export const REPORTER = { email: 'dana@malleegrain.example', words: 'The truck stood in Swan Hill all day.' };

export const REPORTER_BY_MAIL: Reader = { as: 'reporter', byMail: true };
export const asOffice = (who: SignedIn): Reader => ({ as: 'office', who });
export const asTechnician = (who: SignedIn): Reader => ({ as: 'technician', who });

type Given = { kind?: ReportKind; words?: string; email?: string; key?: string };

/** Sends a report as the form does. `about`: the query of its address. */
export async function report(
  services: ReportServices,
  about: Record<string, string>,
  { kind = 'figures', words = REPORTER.words, email = REPORTER.email, key = randomUUID() }: Given = {},
): Promise<{ id: string; token: string }> {
  const target = await findTarget(services, new URLSearchParams(about));
  if (target === undefined) throw new Error('there is no such record');
  const token = await receiveReport(services, target, { input: { kind, words, email }, files: [], key });
  const link = await findLink(services.db, token, { now: services.now() });
  return { id: link?.reportId ?? '', token };
}

/** A step without files. */
export const take = (
  services: ReportServices,
  by: Reader,
  id: string,
  step: AskedStep['step'],
  more: Partial<AskedStep> = {},
): Promise<StepAnswer> =>
  addStep(services, by, {
    id,
    step,
    words: ['added', 'answered', 'decided'].includes(step) ? 'Said.' : '',
    files: [],
    key: randomUUID(),
    ...more,
  });
