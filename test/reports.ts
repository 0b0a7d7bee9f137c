// A report as the route makes it.
import { readVehiclePage } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { makeReport, type About } from '#app/reports/make-report.server.ts';
import type { Report } from '#app/reports/report.ts';
import type { Services } from '#app/platform/services/services.server.ts';

export async function reportOf(services: Services, rego: string, about: About = 'state'): Promise<Report> {
  const found = await readVehiclePage(services.db, rego, about === 'state' ? 'newest' : 'whole');
  if (found.state !== 'live') throw new Error(found.state);
  return makeReport(services, found.records, { origin: 'http://localhost', about });
}
