// The last event of a vehicle's own record in the public log, as its page shows it.
import type { Services } from '#app/platform/services/services.server.ts';
import { subjectOf } from '#app/transparency-log/draft-leaf.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { presentBadge } from '#app/transparency-log/log-badge.server.ts';
import { shownLog } from '#app/transparency-log/shown-log.server.ts';
import type { Shown } from '#app/tlog/check-shown.ts';
import type { LogBadge } from '#app/transparency-log/proof-check.tsx';
import { ownPlates, plateSince, type FormerPlate } from '#app/vehicles/plates.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import type { VehiclePageRecords } from './read-vehicle-page.server.ts';

/** Null: the vehicle is not in the log. */
export async function vehicleBadge(
  services: Pick<Services, 'config'>,
  { vehicle, badge, plates }: Pick<VehiclePageRecords, 'vehicle' | 'badge' | 'plates'>,
): Promise<LogBadge | null> {
  if (badge === null) return null;
  return presentBadge(badge, services.config.timeZone, await shownOfVehicle(services, vehicle, plates));
}

// What a page shows of the last event.
async function shownOfVehicle(
  { config }: Pick<Services, 'config'>,
  vehicle: Vehicle,
  plates: readonly FormerPlate[],
): Promise<Shown> {
  const own = ownPlates(plates);
  const [first, last] = [own.at(0), own.at(-1)];
  const { id, rego, plateState: state } = vehicle;
  return {
    ...(await shownLog(config)),
    proof: `/api/v1/vehicles/${vehicle.rego}/proof`,
    // The tick and the due date as the page shows them.
    type: null,
    body: vehicleEvent('vehicle.updated', vehicle, { ...vehicle }).body,
    values: {
      // Its chain began under the first plate that it had here.
      subject: subjectOf({ id, rego: first?.rego ?? rego }),
      ...(last === undefined ? {} : { plate: { rego, state, since: plateSince(plates), before: last.rego } }),
    },
  };
}
