// The files of a report, for whom may read them.
import { data } from 'react-router';
import { toWeb } from '#app/platform/http/web-stream.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { readerOf } from '../report-action.server.ts';
import { mayRead } from '../report.ts';
import type { Route } from './+types/file';

const NOT_FOUND = data(null, { status: 404, statusText: 'Not Found' });

export async function loader(args: Route.LoaderArgs) {
  const { db, files } = args.context.get(servicesContext);
  const reader = await readerOf(args);
  const { file: id } = args.params;
  if (reader === undefined || !isUuid(id)) throw NOT_FOUND;
  const file = await db
    .selectFrom('wrongReportFile')
    .innerJoin('wrongReportStep', 'wrongReportStep.id', 'wrongReportFile.stepId')
    .innerJoin('storedFile', 'storedFile.id', 'wrongReportFile.fileId')
    .select(['step', 'by', 'storageKey', 'mediaType', 'size'])
    .where('wrongReportFile.id', '=', id)
    .where('reportId', '=', reader.report.id)
    .executeTakeFirst();
  if (file === undefined || !mayRead(reader.by.as, file)) throw NOT_FOUND;
  return new Response(toWeb(await files.read(file.storageKey)), {
    headers: {
      'content-type': file.mediaType,
      'content-length': String(file.size),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}
