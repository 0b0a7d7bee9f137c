// Who reads a report at an address, and which: by its secret address, as the technician who is asked, or as the office.
import type { RouterContextProvider } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import type { Reader } from './add-step.server.ts';
import { findLink, findReport, stepsOf, type StoredReport } from './queries.server.ts';

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
  if (report === undefined || !url.pathname.startsWith('/my-')) return report && { report, by: { as: 'office', who } };
  const isAsked = (await stepsOf(db, report.id)).some(({ step }) => step === 'asked');
  return isAsked && report.personId === who.personId ? { report, by: { as: 'technician', who } } : undefined;
}
