// The trailers with a unit of their own that a visit's form takes beside its truck.
import type { Db } from '#app/platform/database/database.server.ts';
import { UNITS_MAX } from '#app/readings/set-grid.ts';
import { fittedOf } from '#app/vehicles/read-groups.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { readRego } from '#app/vehicles/read-rego.server.ts';
import { isRecordRego, knownVin } from '#app/vehicles/vehicle.ts';
import { axlesToRead } from './axles-to-read.ts';
import type { OpenedUnit } from './opened-unit.ts';

type Moment = { now: Date; zone: string };

/** Those of `regos` that are trailers or dollies of this registry. */
export async function openUnits(db: Db, regos: readonly string[], moment: Moment): Promise<OpenedUnit[]> {
  const opened: OpenedUnit[] = [];
  for (const text of [...new Set(regos)].slice(0, UNITS_MAX)) {
    const found = await openUnit(db, text, moment);
    if (typeof found !== 'string') opened.push(found);
  }
  return opened;
}

/**
 * Those of a form that was sent, in its order, by which the names of their fields count them. One that is none any more
 * keeps its place, and what was typed; recording it is refused.
 */
export async function sentUnits(db: Db, regos: readonly string[], moment: Moment): Promise<OpenedUnit[]> {
  const opened = await openUnits(db, regos, moment);
  return [...new Set(regos)].slice(0, UNITS_MAX).flatMap((rego) => {
    const gone = { rego, vin: '', kind: 'trailer', groupDetails: '', axles: [] };
    return opened.find((one) => one.rego === rego) ?? (isRecordRego(rego) ? gone : []);
  });
}

/** The trailer with this rego, or why there is none. */
export async function openUnit(db: Db, text: string, moment: Moment): Promise<OpenedUnit | string> {
  const parsed = await readRego(db, text);
  if (!parsed.ok) return parsed.message;
  const { rego } = parsed;
  const found = await findVehicle(db, rego);
  if (found.state !== 'live')
    return `No trailer ${rego} is in this registry. Name it under its group, if the truck’s unit reads it.`;
  const { vehicle } = found;
  if (vehicle.kind === '') return `${rego} is recorded as a truck. Say on its own form that it is a trailer.`;
  const fitted = await fittedOf(db, vehicle, moment);
  return {
    rego,
    vin: knownVin(vehicle.vin),
    kind: vehicle.kind,
    groupDetails: vehicle.groupDetails,
    axles: axlesToRead(vehicle.kind, { fitted, read: new Set() }),
  };
}
