// Idempotency keys: a write that is sent twice (double click, retry after a lost answer) has one effect and the same
// answer. Each form carries a key, and the transaction of its write stores the outcome under it (table
// form_submission).
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from './database.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';

/** A new key for the hidden field of a form. */
export const newIdempotencyKey = (): string => randomUUID();

/**
 * A write that takes effect once. `key`: the value of the form's hidden field. It identifies one `kind` of write with
 * exactly these `values` by one person: a form that is changed after a lost answer is another write.
 */
export type IdempotentWrite = { kind: `${string}.${string}`; key: unknown; values: object };

/** The key under which the outcome is stored. Undefined: the form came without one. */
export type IdempotencyKey = `${string}-8${string}-a${string}` | undefined;

/**
 * A UUID of version 8 (RFC 9562). Its first eight digits are those of the form's key, so that an operator finds the
 * form.
 */
export function idempotencyKeyOf({ kind, key, values }: IdempotentWrite): IdempotencyKey {
  if (!isUuid(key)) return undefined;
  const hash = createHash('sha256')
    .update(`${kind} ${key} ${JSON.stringify(values)}`)
    .digest('hex');
  return `${key.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/**
 * Runs `write` in a transaction, once. A second call with the same key returns the first outcome and does nothing; one
 * at the same time waits for the first. Only an outcome with an effect is stored, as JSON: after a refusal, which has a
 * `reason`, the same form may be
 * sent again. Without a valid key `write` simply runs. `write` may run twice, but only one run is committed.
 */
export function idempotent<Outcome extends object>(
  db: Db,
  on: IdempotentWrite & { who: { personId: string } },
  write: (tx: Tx) => Promise<Outcome>,
): Promise<Outcome> {
  const key = idempotencyKeyOf(on);
  let isCommitting = false;
  const tryIt = () =>
    db.transaction().execute(async (tx) => {
      const outcome = key === undefined ? await write(tx) : await writeUnder(tx, { key, ...on.who }, write);
      isCommitting = true;
      return outcome;
    });
  return tryIt().catch((error: unknown) => {
    // The connection broke between COMMIT and its answer, so the outcome is unknown. The second try waits until the
    // first transaction has ended, and then finds its outcome under the key, or writes it now.
    if (isCommitting && key !== undefined && isUnavailable(error)) return tryIt();
    throw error;
  });
}

async function writeUnder<Outcome extends object>(
  tx: Tx,
  { key, personId }: { key: string; personId: string },
  write: (tx: Tx) => Promise<Outcome>,
): Promise<Outcome> {
  // Waits for another transaction that is inserting the same key.
  const claimed = await tx
    .insertInto('formSubmission')
    .values({ key, personId, outcome: sql`'null'` })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed === undefined) {
    const { rows } = await sql<{ outcome: Outcome; personId: string }>`
      select outcome, person_id from form_submission where key = ${key}`.execute(tx);
    const [stored] = rows;
    if (stored === undefined) throw new Error('an idempotency key is neither new nor stored');
    return stored.personId === personId ? stored.outcome : write(tx);
  }
  const outcome = await write(tx);
  if ('reason' in outcome) await tx.deleteFrom('formSubmission').where('key', '=', key).execute();
  else
    await tx
      .updateTable('formSubmission')
      .set({ outcome: JSON.stringify(outcome) })
      .where('key', '=', key)
      .execute();
  return outcome;
}
