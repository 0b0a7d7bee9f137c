// Weighbridges for tests. All names are invented.
import type { Db } from '#app/platform/database/database.server.ts';
import { referenceSchema, type ReferenceInput } from '#app/references/reference-entry.ts';

export const referenceInput = (more: Record<string, string> = {}): ReferenceInput =>
  referenceSchema.parse({
    name: 'Example Creek weighbridge',
    place: 'Example Creek',
    state: 'VIC',
    latitude: '-30',
    longitude: '155.0000',
    operator: 'Example Creek Bulk Pty Ltd',
    capacity_kg: '80,000',
    interval_kg: '20',
    licence: 'PW-1182',
    ...more,
  });

/** Puts one in by itself, added by the actor of a person. */
export async function newReference(db: Db, personId: string, name: string): Promise<{ id: string; name: string }> {
  const addedBy = await actorOf(db, personId);
  return db
    .insertInto('reference')
    .values({ name, place: 'Example Creek', state: 'VIC', addedBy, updatedBy: addedBy })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
}

/** Puts in a verification period of it. */
export async function newVerification(
  db: Db,
  personId: string,
  referenceId: string,
  { certificateNumber = 'VC-88213' }: { certificateNumber?: string },
): Promise<{ id: string; addedBy: number }> {
  const addedBy = await actorOf(db, personId);
  return db
    .insertInto('referenceVerification')
    .values({ referenceId, certificateNumber, fromOn: '2026-03-10', toOn: '2027-03-09', addedBy })
    .returning(['id', 'addedBy'])
    .executeTakeFirstOrThrow();
}

async function actorOf(db: Db, personId: string): Promise<number> {
  const { id } = await db
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', personId)
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
