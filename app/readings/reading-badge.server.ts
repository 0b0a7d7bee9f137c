// The entry of a reading in the public log, and the values that its page shows: the browser checks one against the
// other.
import { findLeafOf, findLoggedVehicle } from '#app/transparency-log/queries.server.ts';
import { calibrationEvent } from './insert-readings.server.ts';
import { subjectOf } from '#app/transparency-log/draft-leaf.server.ts';
import { logBadge } from '#app/transparency-log/log-badge.server.ts';
import { shownLog } from '#app/transparency-log/shown-log.server.ts';
import type { LogBadge } from '#app/transparency-log/proof-check.tsx';
import type { Services } from '#app/platform/services/services.server.ts';
import type { Calibration } from './queries.server.ts';

/** Null: the reading is not in the log. */
export async function readingBadge(services: Services, reading: Calibration): Promise<LogBadge | null> {
  const { rego, id, vehicleId, correctsId, technicianName } = reading;
  const corrects =
    correctsId === null
      ? {}
      : { corrects: await findLeafOf(services.db, { table: 'calibration', key: `${rego}/${correctsId}` }) };
  // The event that the log should have, made from the values that the page shows.
  const eventIn = (zone: string | undefined) =>
    calibrationEvent({ id: vehicleId, rego }, reading, { technician: technicianName, more: { ...corrects, zone } });
  const log = await shownLog(services.config);
  const logged = await findLoggedVehicle(services.db, reading);
  return logBadge(
    services,
    { table: 'calibration', key: `${rego}/${id}` },
    {
      which: 'first',
      shown: (zone) => ({
        ...log,
        proof: `/api/v1/vehicles/${rego}/calibrations/${id}/proof`,
        type: eventIn(zone).type,
        body: eventIn(zone).body,
        values: {
          subject: subjectOf(logged),
          ...(technicianName === null ? {} : { 'people.technician': technicianName }),
        },
      }),
    },
  );
}
