// Withdrawals of weighbridges, for tests.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { applyWithdrawals } from '#app/withdrawals/apply-withdrawals.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/withdrawals/decide-withdrawal.server.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { referenceInput } from './references.ts';
import { NO_FILES, vehicleInput } from './vehicles.ts';
import { recordHonestSet, type SetChange } from './visits.ts';

export type Weighbridge = { id: string; line: string };

export async function addWeighbridge(services: Services, admin: SignedIn, name: string): Promise<Weighbridge> {
  const input = referenceInput({ name });
  const added = await addReference(services.db, admin, { input, key: undefined });
  return { id: added.id, line: referenceLine(input) };
}

/** A truck with two axle groups and a ticked record. */
export async function addTruck(services: Services, admin: SignedIn, rego: string): Promise<void> {
  const input = vehicleInput({
    rego,
    vin: `6T9${rego}`,
    scale_serial_number: `S${rego}`,
    axle_groups: 'STEER DRIVE',
    calibration_validated: 'yes',
  });
  await registerVehicle(services, admin, { input, choice: NO_FILES, key: undefined });
}

/** Records an honest set, weighed there, now by the services' clock. Returns the visit's id. */
export async function weighOn(
  services: Services,
  who: SignedIn,
  rego: string,
  { id, line }: Weighbridge,
  change: SetChange = {},
): Promise<string> {
  const answer = await recordHonestSet(services, who, rego, { weighbridge: line, reference_id: id, ...change });
  if (!answer.recorded) throw new Error(`${rego}: ${answer.reason}`);
  return answer.setId;
}

/** One admin proposes, another confirms. Returns the withdrawal's id. */
export async function withdraw(
  services: Services,
  [proposer, confirmer]: readonly [SignedIn, SignedIn],
  { id }: Weighbridge,
  [fromOn, toOn]: readonly [string, string],
): Promise<string> {
  const proposal = { fromOn, toOn, reason: 'out of tolerance', note: '' } as const;
  const proposed = await proposeWithdrawal(services, proposer, { referenceId: id, ...proposal, key: undefined });
  if (!proposed.proposed) throw new Error(proposed.reason);
  const confirmed = await decideWithdrawal(services, confirmer, {
    id: proposed.id,
    decision: 'confirm',
    key: undefined,
  });
  if (!confirmed.decided) throw new Error(confirmed.reason);
  return proposed.id;
}

/** One admin proposes to lift it, another confirms. */
export async function lift(
  services: Services,
  [proposer, confirmer]: readonly [SignedIn, SignedIn],
  id: string,
): Promise<void> {
  for (const [who, decision] of [
    [proposer, 'propose-lift'],
    [confirmer, 'confirm-lift'],
  ] as const) {
    const decided = await decideWithdrawal(services, who, { id, decision, key: undefined });
    if (!decided.decided) throw new Error(decided.reason);
  }
}

/** As the leader does. `blocks`: it stops after so many. */
export function applyAll(
  { db, now }: Services,
  { blocks = Number.POSITIVE_INFINITY, visitsABlock = 1000 }: { blocks?: number; visitsABlock?: number } = {},
): Promise<number> {
  let left = blocks;
  return applyWithdrawals(db, { now, isLost: () => (left -= 1) < 0, visitsABlock });
}
