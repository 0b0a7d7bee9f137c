// A form that is sent twice (double click, retry after a lost answer) has one effect and gets the same answer: each
// form carries a key, and the transaction of its write keeps the outcome under it.
import { createHash, randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from './database.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';

/** A form's key for what is done under it (`keyOfForm`). Undefined: it came without one. */
export type FormKey = `${string}-8${string}-a${string}` | undefined;
export type Form<T> = { key: FormKey; personId: string; parse: (kept: unknown) => T; took: (outcome: T) => boolean };

/** A key for a form that is about to be shown. */
export const newFormKey = (): string => randomUUID();

/**
 * The form's `key` (what its hidden field brings) for one kind of write of just these values (RFC 9562, version 8). Where
 * the answer was lost and another value is sent then, it is another write, and not taken for the first; in another kind
 * of form the same key is another one. The first eight digits stay, so that a form is found by hand.
 */
export function keyOfForm(key: unknown, kind: `${string}.${string}`, values: object): FormKey {
  if (!isUuid(key)) return undefined;
  const hash = createHash('sha256')
    .update(`${kind} ${key} ${JSON.stringify(values)}`)
    .digest('hex');
  return `${key.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/**
 * Runs `write` in a transaction, once per `key` and person. Sent again, the first outcome is returned and nothing is
 * done; at the same time, the second waits for the first. Only outcomes that `took` (had an effect) are kept: after a
 * refusal the same form may be sent again. Without a valid key `write` simply runs. `write` may run twice, but only once
 * with an effect.
 */
export function once<T>(db: Db, form: Form<T>, write: (tx: Tx) => Promise<T>): Promise<T> {
  let isCommitting = false;
  const tryIt = () =>
    db.transaction().execute(async (tx) => {
      const outcome = await onceWithin(tx, form, write);
      isCommitting = true;
      return outcome;
    });
  return tryIt().catch((error: unknown) => {
    // The connection broke between the commit and its answer, so nobody knows what became of it. The key does: the
    // second try waits until the first is over, and finds its outcome, or that there was none.
    if (isCommitting && form.key !== undefined && isUnavailable(error)) return tryIt();
    throw error;
  });
}

async function onceWithin<T>(
  tx: Tx,
  { key, personId, parse, took }: Form<T>,
  write: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (key === undefined) return write(tx);
  // Waits for another transaction that is about to keep it.
  const claimed = await tx
    .insertInto('formSubmission')
    .values({ key, personId, outcome: sql`'null'` })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed === undefined) {
    const kept = await tx
      .selectFrom('formSubmission')
      .select(['outcome', 'personId'])
      .where('key', '=', key)
      .executeTakeFirst();
    if (kept === undefined) throw new Error('a form key is neither new nor kept');
    return kept.personId === personId ? parse(kept.outcome) : write(tx);
  }
  const outcome = await write(tx);
  if (took(outcome))
    await tx
      .updateTable('formSubmission')
      .set({ outcome: JSON.stringify(outcome) })
      .where('key', '=', key)
      .execute();
  else await tx.deleteFrom('formSubmission').where('key', '=', key).execute();
  return outcome;
}

/** What was kept under a form's key. */
export type KeptForm = { key: string; personId: string; outcome: unknown };

/** Those of `keys` (UUIDs) that are kept, as an SQL value: a JSON array of `KeptForm`. */
export const keptForms = (keys: readonly string[]): RawBuilder<KeptForm[]> => sql`(
  select coalesce(json_agg(kept), '[]') from (
    select key, person_id as "personId", outcome from form_submission
    where key in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))) kept)`;
