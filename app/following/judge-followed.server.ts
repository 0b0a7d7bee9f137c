import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Policy } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import { hasFindings } from '#app/transparency-log/history-checks.server.ts';
import { judge, verdictFacts, withdrawnAt } from '#app/vehicles/verdict.ts';

/** A vehicle as its followers see it. `state`: the verdict, 'removed' or 'no-match'; a mail is sent when it changes. */
export type FollowedState = {
  rego: string;
  state: string;
  word: string;
  sentence: string;
  nextDueOn: string | null;
  policy: Policy;
};

/** The state of a followed vehicle on `today`, a day in `zone`. */
export async function judgeFollowed(
  db: Db | Tx,
  vehicleId: string,
  { today, zone }: { today: string; zone: string },
): Promise<FollowedState> {
  const policy = await currentPolicy(db);
  const vehicle = await db
    .selectFrom('vehicle')
    .select(['id', 'rego', 'calibrationValidated', 'restsOn', 'nextCalibrationDueOn', 'lastCalibratedAt', 'deletedAt'])
    .select(hasFindings(sql`vehicle.id`).as('hasFindings'))
    .where('id', '=', vehicleId)
    .executeTakeFirstOrThrow();
  const { rego, nextCalibrationDueOn: nextDueOn } = vehicle;
  if (vehicle.deletedAt !== null)
    return {
      rego,
      state: 'removed',
      word: 'Removed',
      sentence: 'The vehicle was removed from this registry.',
      nextDueOn: null,
      policy,
    };
  if (vehicle.hasFindings)
    return {
      rego,
      state: 'no-match',
      word: 'Does not match the log',
      sentence: 'Do not rely on this record: it is not what was entered in the public log.',
      nextDueOn,
      policy,
    };
  const withdrawnOn = await validationWithdrawnOn(db, vehicle, zone);
  const { verdict, word, sentence } = judge({ ...verdictFacts(vehicle), withdrawnOn }, today, policy);
  return { rego, state: verdict, word, sentence, nextDueOn, policy };
}

// The day in `zone` on which the validation was withdrawn. Null: the vehicle is validated, or never was.
async function validationWithdrawnOn(
  db: Db | Tx,
  { id, calibrationValidated }: Pick<Vehicle, 'id' | 'calibrationValidated'>,
  zone: string,
): Promise<string | null> {
  if (calibrationValidated) return null;
  const decisions = db.selectFrom('validation').select(['decidedAt as at', 'validated']).where('vehicleId', '=', id);
  const at = withdrawnAt(await decisions.orderBy('id').execute());
  return at === null ? null : todayIn(zone, at);
}
