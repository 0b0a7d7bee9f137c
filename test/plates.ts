// Changes of plates, for tests.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { changePlate, openedPlate, type ChangePlateAnswer } from '#app/vehicles/change-plate.server.ts';
import { decidePlate, listPlateRequests, type DecidePlateAnswer } from '#app/vehicles/decide-plate.server.ts';
import type { AskedPlate } from '#app/vehicles/replate.server.ts';
import { liveVehicle } from './visits.ts';

type Change = Partial<AskedPlate> & { text: string; opened?: string; key?: unknown };

/** Changes the plate of `rego` today, because it was sold. */
export async function replateTo(
  services: Services,
  who: SignedIn,
  rego: string,
  { key, ...change }: Change,
): Promise<ChangePlateAnswer> {
  const opened = openedPlate(await liveVehicle(services, rego));
  const fromOn = todayIn(services.config.timeZone, services.now());
  const input = { state: '', fromOn, why: 'sold', opened, ...change } as const;
  return changePlate(services, who, { rego, input, key });
}

/** Decides about the oldest request. */
export async function decideOldest(
  services: Services,
  who: SignedIn,
  decision: 'confirm' | 'decline',
): Promise<DecidePlateAnswer> {
  const [request] = await listPlateRequests(services.db);
  return decidePlate(services, who, { id: request?.id ?? '', isConfirmed: decision === 'confirm', key: undefined });
}
