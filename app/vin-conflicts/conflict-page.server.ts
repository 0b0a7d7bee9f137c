// Two records with one VIN, side by side.
import type { Db } from '#app/platform/database/database.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { findMismatches } from '#app/transparency-log/vehicle-records.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { findVehicleById, listVehicleFiles, type Vehicle } from '#app/vehicles/queries.server.ts';
import { judge, verdictFacts } from '#app/vehicles/verdict.ts';
import { FULL_VIN } from '#app/vehicles/vehicle.ts';
import { findPair } from './queries.server.ts';

const VISITS_SHOWN = 3;

/** Undefined: no two records with this VIN are left to decide about. */
export async function conflictPage({ db, config, now }: Pick<Services, 'db' | 'config' | 'now'>, vin: string) {
  const pair = await findPair(db, vin);
  if (pair === undefined) return undefined;
  const [first, second] = [await findVehicleById(db, pair[0]), await findVehicleById(db, pair[1])];
  if (first === undefined || second === undefined) return undefined;
  const policy = await currentPolicy(db);
  const today = todayIn(config.timeZone, now());
  const shown = async (vehicle: Vehicle) => ({
    id: vehicle.id,
    rego: vehicle.rego,
    plate: plateText(vehicle.rego),
    state: vehicle.plateState,
    matchesLog: (await findMismatches(db, vehicle)).length === 0,
    verdict: judge(verdictFacts(vehicle), today, policy).verdict,
    facts: await factsOf(db, vehicle),
  });
  const records = [await shown(first), await shown(second)] as const;
  return { vin, isFull: vin.length >= FULL_VIN, idempotencyKey: newIdempotencyKey(), records };
}

async function factsOf(db: Db, vehicle: Vehicle) {
  const { id, make, model, scaleSerialNumber, companyName, nextCalibrationDueOn: due } = vehicle;
  const visits = await db
    .selectFrom('visit')
    .leftJoin('actor', 'actor.id', 'visit.technicianId')
    .select(['visitedOn', 'state', 'name'])
    .where('vehicleId', '=', id)
    .orderBy('visitedOn', 'desc')
    .orderBy('openedAt', 'desc')
    .limit(VISITS_SHOWN)
    .execute();
  const files = await listVehicleFiles(db, id);
  const count = (role: string) => files.filter((file) => file.role === role).length;
  return [
    { label: 'Make', value: [make, model].filter(Boolean).join(' ') },
    { label: 'Scale serial', value: scaleSerialNumber },
    { label: 'Company', value: companyName },
    { label: 'Next due', value: due === null ? '' : formatDay(due) },
    {
      label: 'Last visits',
      value: visits
        .map(({ visitedOn, state, name }) => [formatDay(visitedOn, 'short'), name, state].filter(Boolean).join(' · '))
        .join('; '),
    },
    { label: 'Files', value: `${count('certificate')} certificate, ${count('image')} images` },
  ];
}
