// Answers the routes: a file, or the reason why there is none.
import { parseCalibrationId } from '#app/readings/calibration.ts';
import { findCalibration } from '#app/readings/queries.server.ts';
import { answerPdf } from '#app/platform/paper/pdf.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { takeHit, type Limit } from '#app/platform/database/rate-limit.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { csvDownload } from '#app/platform/http/csv-download.server.ts';
import { findVehicleOrProblem, noVehicle } from '#app/vehicles/api.server.ts';
import { findVehicleById } from '#app/vehicles/queries.server.ts';
import { isRecordRego } from '#app/vehicles/vehicle.ts';
import { keepSeen } from '#app/transparency-log/history-checks.server.ts';
import { historyCsv } from './history-csv.ts';
import { reportPdf } from './draw-report.server.ts';
import { pastOrProblem } from '#app/vehicle-page/past-api.server.ts';
import { readVehiclePage } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { makeReport, pastReport } from './make-report.server.ts';

const FILE = /^([^.]+?)(-history)?(?:-on-(\d{4}-\d\d-\d\d))?\.(pdf|csv)$/;
/** Each report takes a fraction of a second of processor time. This is enough for somebody who prints a fleet. */
export const REPORTS_PER_CLIENT: Limit = { max: 30, windowMs: 60_000 };

type Asked = { file: string; rego?: string; client: string; origin: string };

/**
 * `{rego}.pdf`: the vehicle's present state. `{rego}-on-{day}.pdf`: what was said at the end of a day.
 * `{rego}-history.pdf`, `{rego}-history.csv`: its whole history. With `rego`, `{id}.pdf`: one calibration.
 */
export async function answerReport(services: Services, { file, rego, client, origin }: Asked): Promise<Response> {
  const [, name, isHistory, day, kind] = FILE.exec(file) ?? [];
  if (
    name === undefined ||
    (isHistory === undefined && kind === 'csv') ||
    ((isHistory ?? day) !== undefined && (rego ?? (isHistory && day)) !== undefined)
  )
    return problem(404, 'no-such-report', {
      detail: 'A report is a file: {rego}.pdf, {rego}-history.pdf or {rego}-history.csv, or {id}.pdf of a calibration.',
    });
  const id = rego === undefined ? undefined : parseCalibrationId(name);
  // A reading keeps the rego under which it was recorded, whoever has the plate now.
  const readingOf = (text = '') =>
    id === undefined || !isRecordRego(text) ? undefined : findCalibration(services.db, text, id);
  const named = await readingOf(rego);
  const own = named === undefined ? undefined : await findVehicleById(services.db, named.vehicleId);
  const past = day === undefined ? undefined : await pastOrProblem(services, name, day);
  if (past instanceof Response) return past;
  const vehicle = past?.vehicle ?? (await findVehicleOrProblem(services, own?.rego ?? rego ?? name));
  if (vehicle instanceof Response) return vehicle;
  const reading = named ?? (await readingOf(vehicle.rego));
  if (rego !== undefined && (reading === undefined || reading.vehicleId !== vehicle.id))
    return problem(404, 'calibration-unknown', {
      detail: `No calibration ${name} is recorded for the vehicle with rego ${vehicle.rego}.`,
    });
  if (services.config.rateLimits) {
    const hit = await takeHit(services.db, ['report', client], { limit: REPORTS_PER_CLIENT, now: services.now() });
    if (!hit.allowed)
      return problem(429, 'too-many-requests', {
        detail: 'Too many reports were requested from your network. Try again in a minute.',
        retryAfter: hit.retryAfterSeconds,
      });
  }
  if (past !== undefined) return answerPdf(await reportPdf(await pastReport(services, past, origin)), `report-${file}`);
  const about = isHistory === undefined ? (reading ?? 'state') : 'history';
  const found = await readVehiclePage(services.db, vehicle.rego, about === 'state' ? 'newest' : 'whole');
  if (found.state !== 'live') return noVehicle(services, vehicle.rego, found);
  const { records } = found;
  const { mismatches: findings, checked } = records;
  await keepSeen(services.db, { id: vehicle.id, rego: vehicle.rego, findings }, checked);
  if (kind === 'csv') return csvDownload(historyCsv(records, services.config.timeZone), `history-${vehicle.rego}.csv`);
  const report = await makeReport(services, records, { origin, about });
  return answerPdf(
    await reportPdf(report),
    `${isHistory === undefined ? 'report' : 'history'}-${vehicle.rego}${reading === undefined ? '' : `-${reading.id}`}.pdf`,
  );
}
