// The register of weighbridges of a generated registry, each verified without a gap, by the product's own writes.
import { randomUUID } from 'node:crypto';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { referenceSchema } from '#app/references/reference-entry.ts';
import { referenceLine, STATES } from '#app/references/reference.ts';
import { WEIGHBRIDGES } from './truck-history.ts';

export type Weighbridge = { id: string; line: string };

const YEARS = 2;
const YEAR_DAYS = 365;

/** Adds them, verified for the two years up to `today`. */
export async function addWeighbridges(
  services: Pick<Services, 'db' | 'files'>,
  admin: SignedIn,
  today: string,
): Promise<Weighbridge[]> {
  const added: Weighbridge[] = [];
  for (let index = 0; index < WEIGHBRIDGES; index += 1) {
    const state = STATES[index % STATES.length]?.value ?? 'VIC';
    const entered = { name: `Bench ${index} weighbridge`, place: 'Example Creek', state };
    const answer = await addReference(services.db, admin, referenceSchema.parse(entered), randomUUID());
    for (let years = YEARS; years > 0; years -= 1) {
      const fromOn = addDays(today, -years * YEAR_DAYS);
      const period = { certificateNumber: `V${index}-${years}`, fromOn, toOn: addDays(fromOn, YEAR_DAYS - 1) };
      await addVerification(services, admin, answer.id, period, { file: '', key: randomUUID() });
    }
    added.push({ id: answer.id, line: referenceLine(entered) });
  }
  return added;
}
