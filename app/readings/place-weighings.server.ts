// Finds the weighbridge of each weighing in the register, and its verification interval.
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { matchReference } from '#app/references/match-reference.server.ts';
import { findReference } from '#app/references/queries.server.ts';
import { weighingsIn, weighingsText } from './weighings.ts';

/** `text`: the weighings as typed. `referenceId`: the visit's weighbridge. */
export async function placeWeighings(db: Db | Tx, text: string, referenceId: string | null): Promise<string> {
  const weighings = weighingsIn(text);
  const found = new Map<string | undefined, { id: string | null; e?: number }>();
  for (const at of new Set(weighings.map((one) => one.at))) {
    const id =
      at === undefined ? referenceId : (await matchReference(db, { weighbridge: at, reference_id: '' })).referenceId;
    const { intervalKg = null } = id === null ? {} : ((await findReference(db, id)) ?? {});
    found.set(at, { id, ...(intervalKg === null ? {} : { e: intervalKg }) });
  }
  return weighingsText(
    weighings.map((one) => {
      const { id: reference = null, ...rest } = found.get(one.at) ?? {};
      const isOwn = one.on !== undefined || one.at !== undefined;
      return { ...one, ...(isOwn && reference !== null ? { reference } : {}), ...rest };
    }),
  );
}
