// A reading's place in the public log, and what its page shows of it, to be checked in the browser.
import { findLeafOf } from '#app/transparency-log/queries.server.ts';
import { calibrationEvent } from './calibration-event.server.ts';
import { subjectOf } from '#app/transparency-log/draft-leaf.server.ts';
import { logBadge } from '#app/transparency-log/log-badge.server.ts';
import { LOG_PREFIX } from '#app/transparency-log/log-address.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import type { LogBadge } from '#app/transparency-log/proof-check.tsx';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { Calibration } from './queries.server.ts';

/** Null: it is not in the log. */
export async function readingBadge(given: Services, reading: Calibration): Promise<LogBadge | null> {
  const { rego, id, vehicleId, correctsId, technicianName } = reading;
  const corrects =
    correctsId === null
      ? {}
      : { corrects: await findLeafOf(given.db, { table: 'calibration', key: `${rego}/${correctsId}` }) };
  // What the log should say of it, made from what the page shows.
  const { type, body } = calibrationEvent({ id: vehicleId, rego }, reading, technicianName, corrects);
  return logBadge(given, { table: 'calibration', key: `${rego}/${id}` }, 'first', {
    key: formatVerifierKey((await logKey(given.config)).verifier),
    log: LOG_PREFIX,
    zone: given.config.timeZone,
    proof: `/api/v1/vehicles/${rego}/calibrations/${id}/proof`,
    type,
    body,
    values: {
      subject: subjectOf({ id: vehicleId, rego }),
      ...(technicianName === null ? {} : { 'people.technician': technicianName }),
    },
  });
}
