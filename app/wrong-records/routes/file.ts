// The files of a report, for whom may read them: by its secret address, as the technician who is asked, or as the office.
import { data } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { toWeb } from '#app/platform/http/web-stream.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import type { ReportAudience } from '#database/report-tables.ts';
import { findLink, findReport, stepsOf } from '../queries.server.ts';
import { mayRead } from '../report.ts';
import type { Route } from './+types/file';

export async function loader({ params, context, pattern }: Route.LoaderArgs) {
  const { db, files, now } = context.get(servicesContext);
  const found = isUuid(params.file)
    ? await db
        .selectFrom('wrongReportFile')
        .innerJoin('wrongReportStep', 'wrongReportStep.id', 'wrongReportFile.stepId')
        .innerJoin('storedFile', 'storedFile.id', 'wrongReportFile.fileId')
        .select(['reportId', 'step', 'by', 'storageKey', 'mediaType', 'size'])
        .where('wrongReportFile.id', '=', params.file)
        .executeTakeFirst()
    : undefined;
  const report = found === undefined ? undefined : await findReport(db, found.reportId);
  if (found === undefined || report === undefined || !mayRead(await audienceOf(), found))
    throw data(null, { status: 404, statusText: 'Not Found' });
  return new Response(toWeb(await files.read(found.storageKey)), {
    headers: {
      'content-type': found.mediaType,
      'content-length': String(found.size),
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });

  async function audienceOf(): Promise<ReportAudience | undefined> {
    if (report === undefined) return undefined;
    if ('token' in params && params.token !== undefined) {
      const link = await findLink(db, params.token, { now: now(), report: report.id });
      return link?.reportId === report.id ? 'reporter' : undefined;
    }
    if (params.id !== report.id) return undefined;
    if (!pattern.includes('my-reports')) return 'office';
    const isAsked = (await stepsOf(db, report.id)).some(({ step }) => step === 'asked');
    return isAsked && report.personId === requireSignedIn(context).personId ? 'technician' : undefined;
  }
}
