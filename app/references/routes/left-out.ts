// POST /references/import/left-out.csv: the lines of a table that cannot be taken, each with its reasons.
import { readFieldsOrProblem } from '#app/forms/read-fields.server.ts';
import { attachment } from '#app/platform/http/attachment.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { leftOutCsv, readTable, takenLines } from '#app/platform/http/read-table.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { findProblems } from '../import-references.server.ts';
import { LINES_MAX } from '../reference-csv.server.ts';
import type { Route } from './+types/left-out';

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readFieldsOrProblem(request);
  if (form instanceof Response) return form;
  const { db, config, now } = context.get(servicesContext);
  const text = form.fields.get('csv') ?? '';
  const table = readTable(text, LINES_MAX);
  if (!table.ok) return problem(400, 'list-invalid', { detail: table.message });
  const asked = { today: todayIn(config.timeZone, now()), taken: takenLines(form.all.get('take')) };
  const reasons = Map.groupBy(await findProblems(db, text, asked), ({ line }) => line);
  const csv = leftOutCsv(table, (line) =>
    reasons
      .get(line)
      ?.map(({ message }) => message)
      .join(' '),
  );
  return attachment(csv, 'left-out.csv', { 'content-type': 'text/csv; charset=utf-8; header=present' });
}
