// POST /vehicles/import/left-out.csv: the lines of a file that an import leaves out, each with its reason.
import { readFieldsOrProblem, TABLE_TEXT_MAX_BYTES } from '#app/forms/read-fields.server.ts';
import { attachment } from '#app/platform/http/attachment.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { takenLines } from '#app/platform/http/read-table.server.ts';
import { leftOutVehicles } from '../import-block.server.ts';
import { readVehicles } from '../read-vehicles.server.ts';
import type { Route } from './+types/left-out';

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readFieldsOrProblem(request, TABLE_TEXT_MAX_BYTES);
  if (form instanceof Response) return form;
  const read = readVehicles(form.fields.get('csv') ?? '');
  if (!read.ok) return problem(400, 'list-invalid', { detail: read.message });
  const csv = await leftOutVehicles(context.get(servicesContext), { ...read, taken: takenLines(form.all.get('take')) });
  return attachment(csv, 'left-out.csv', { 'content-type': 'text/csv; charset=utf-8; header=present' });
}
