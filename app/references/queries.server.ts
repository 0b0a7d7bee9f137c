// Reads of the register of weighbridges. A withdrawn verification period covers no day.
//
// The search reads the whole table: thousands of weighbridges take a few milliseconds.
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { listPage, type ListPage } from '#app/platform/database/list-page.server.ts';
import { foldedName, holdsName } from '#app/platform/database/name-search.server.ts';
import { foldName } from '#app/platform/process/typed-text.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { ListAddress } from '#app/ui/list-address.ts';
import type { Tables } from '#database/tables.ts';
import type { Coverage } from './reference.ts';

export const REFERENCES_PER_PAGE = 10;
const WORDS_MAX = 10;

export type Reference = Selectable<Tables['reference']>;
export type Verification = Selectable<Tables['referenceVerification']>;
export type Repair = Selectable<Tables['referenceRepair']>;

/** `certificateNumber`: of the period that ends last. */
export type ListedReference = Pick<
  Reference,
  'id' | 'name' | 'place' | 'state' | 'operator' | 'capacityKg' | 'intervalKg'
> &
  Coverage & { certificateNumber: string | null; isWithdrawn: boolean };

/** A page of the weighbridges in whose name, place, state or operator every word of `text` is found, by name. */
export function listReferences(db: Db, { text, page }: ListAddress, today: string): Promise<ListPage<ListedReference>> {
  const holds = holdsWords(text);
  return listPage(
    { page, perPage: REFERENCES_PER_PAGE },
    async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from reference r where ${holds}`.execute(db);
      return rows[0]?.n ?? 0;
    },
    async (limit, offset) => {
      const { rows } = await selectListed(holds, today, { limit, offset }).execute(db);
      return rows;
    },
  );
}

/** A weighbridge as a form finds it. */
export type FoundReference = Pick<Reference, 'id' | 'name' | 'place' | 'state'> & Pick<Coverage, 'verifiedTo'>;

/** The same search while one types in a form: those whose name begins with the text come first. */
export async function findReferences(db: Db | Tx, text: string, limit: number): Promise<FoundReference[]> {
  const { rows } = await sql<FoundReference>`
    select id, name, place, state, (
      select max(to_on) from reference_verification v where v.reference_id = r.id and removed_at is null
    ) as verified_to
    from reference r where ${holdsWords(text)}
    order by starts_with(${foldedName(sql`name`)}, ${foldName(text)}) desc, lower(name), lower(place), state
    limit ${limit}`.execute(db);
  return rows;
}

function selectListed(
  where: RawBuilder<unknown>,
  today: string,
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<ListedReference> {
  const order = sql`lower(name), lower(place), state`;
  return sql`
    select r.id, name, place, state, operator, capacity_kg, interval_kg, last.to_on as verified_to,
      last.certificate_number, ${coveredTo(sql`r.id`, today)} as covered_to,
      exists (select from reference_withdrawal w where w.reference_id = r.id and confirmed_at is not null
        and lifted_at is null and ${today}::date between w.from_on and w.to_on) as is_withdrawn
    from (
      select * from reference r where ${where} order by ${order} limit ${limit} offset ${offset}
    ) r
    left join lateral (
      select to_on, certificate_number from reference_verification v
      where v.reference_id = r.id and removed_at is null order by to_on desc, from_on desc limit 1
    ) last on true
    order by ${order}`;
}

// The last of the days without a gap that `today` is among.
const coveredTo = (id: RawBuilder<unknown>, today: string): RawBuilder<string | null> => sql`(
  select upper(period) - 1 from (
    select unnest(range_agg(daterange(from_on, to_on, '[]'))) as period from reference_verification v
    where v.reference_id = ${id} and removed_at is null
  ) covered where period @> ${today}::date)`;

function holdsWords(text: string): RawBuilder<unknown> {
  const words = foldName(text)
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, WORDS_MAX);
  if (words.length === 0) return sql`true`;
  return sql.join(
    words.map((word) => holdsName(sql`concat_ws(' ', name, place, state, operator)`, word)),
    sql` and `,
  );
}

/** A weighbridge, with who added it and changed it last. `id`: as in the address; text that is no id finds nothing. */
export async function findReference(db: Db | Tx, id: string): Promise<(Reference & { changedBy: string }) | undefined> {
  if (!isUuid(id)) return undefined;
  return db
    .selectFrom('reference')
    .innerJoin('actor', 'actor.id', 'reference.updatedBy')
    .selectAll('reference')
    .select('actor.name as changedBy')
    .where('reference.id', '=', id)
    .executeTakeFirst();
}

/**
 * Locks it to the end of the transaction: nobody else then changes it, its periods or its repairs. Call it after
 * `actorOf`, as a visit is recorded in that order: the same person may do both at once, for the first time.
 */
export async function lockReference(tx: Tx, id: string): Promise<Reference | undefined> {
  if (!isUuid(id)) return undefined;
  return tx.selectFrom('reference').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The weighbridge of this name and place in this state, in whatever letters, apostrophes and hyphens. */
export async function findNamed(
  db: Db | Tx,
  { name, place, state }: Pick<Reference, 'name' | 'place' | 'state'>,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('reference')
    .select('id')
    .where(
      sql<boolean>`${foldedName(sql`name`)} = ${foldName(name)} and ${foldedName(sql`place`)} = ${foldName(place)} and state = ${state}`,
    )
    .executeTakeFirst();
}

/** A period, the type and size of its file, and who withdrew it. */
export type ShownVerification = Verification & {
  mediaType: string | null;
  size: number | null;
  remover: string | null;
};

/** All of its periods, withdrawn ones too, the one that ends last first. */
export function listVerifications(db: Db | Tx, referenceId: string): Promise<ShownVerification[]> {
  return db
    .selectFrom('referenceVerification')
    .leftJoin('storedFile', 'storedFile.id', 'referenceVerification.fileId')
    .leftJoin('actor', 'actor.id', 'referenceVerification.removedBy')
    .selectAll('referenceVerification')
    .select(['storedFile.mediaType', 'storedFile.size', 'actor.name as remover'])
    .where('referenceId', '=', referenceId)
    .orderBy('toOn', 'desc')
    .orderBy('fromOn', 'desc')
    .orderBy('addedAt', 'desc')
    .orderBy('referenceVerification.id')
    .execute();
}

/** One of its periods. The ids may be any text. */
export async function findVerification(
  db: Db | Tx,
  { referenceId, verificationId }: { referenceId: string; verificationId: string },
): Promise<Verification | undefined> {
  if (!isUuid(referenceId) || !isUuid(verificationId)) return undefined;
  return db
    .selectFrom('referenceVerification')
    .selectAll()
    .where('id', '=', verificationId)
    .where('referenceId', '=', referenceId)
    .executeTakeFirst();
}

/** Newest first. */
export function listRepairs(db: Db | Tx, referenceId: string): Promise<Repair[]> {
  return db
    .selectFrom('referenceRepair')
    .selectAll()
    .where('referenceId', '=', referenceId)
    .orderBy('onDay', 'desc')
    .orderBy('addedAt', 'desc')
    .orderBy('id')
    .execute();
}

/** Whether verifications cover `today`, and to which day. */
export async function findCoverage(db: Db | Tx, referenceId: string, today: string): Promise<Coverage> {
  const { rows } = await sql<Coverage>`select ${coveredTo(sql`${referenceId}::uuid`, today)} as covered_to, (
      select max(to_on) from reference_verification where reference_id = ${referenceId} and removed_at is null
    ) as verified_to`.execute(db);
  return rows[0] ?? { coveredTo: null, verifiedTo: null };
}

/** The verification that covers `day`, of several the one that ends last; undefined: none does. */
export function verificationOn(
  db: Db | Tx,
  referenceId: string,
  day: string,
): Promise<Pick<Verification, 'id' | 'certificateNumber' | 'fromOn' | 'toOn'> | undefined> {
  return db
    .selectFrom('referenceVerification')
    .select(['id', 'certificateNumber', 'fromOn', 'toOn'])
    .where('referenceId', '=', referenceId)
    .where('removedAt', 'is', null)
    .where('fromOn', '<=', day)
    .where('toOn', '>=', day)
    .orderBy('toOn', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
