// A form that is sent twice (double click, retry after a lost answer) has one effect and gets the same answer: each
// form carries a key, and the transaction of its write keeps the outcome under it.
import { createHash, randomUUID } from 'node:crypto';
import type { Db, Tx } from './database.server.ts';
import { isUnavailable } from './unavailable.server.ts';
import { isUuid } from './uuid.ts';

type Form<T> = { key: unknown; personId: string; parse: (kept: unknown) => T; took: (outcome: T) => boolean };

/** A key for a form that is about to be shown. */
export const newFormKey = (): string => randomUUID();

/** The key of a form that has no other field. Undefined when it came without one. */
export async function keyOf(request: Request): Promise<unknown> {
  const form = await request.formData().catch(() => undefined);
  return form?.get('form_key');
}

/**
 * `key` for just these values of the form (RFC 9562, version 8). Where the answer was lost and another value is sent then,
 * it is another entry, and not taken for the first.
 */
export function keyOfValues(key: unknown, values: object): unknown {
  if (!isUuid(key)) return key;
  const hash = createHash('sha256')
    .update(`${key} ${JSON.stringify(values)}`)
    .digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
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
      const outcome = await claimOrFind(tx, form, write);
      isCommitting = true;
      return outcome;
    });
  return tryIt().catch((error: unknown) => {
    // The connection broke between the commit and its answer, so nobody knows what became of it. The key does: the
    // second try waits until the first is over, and finds its outcome, or that there was none.
    if (isCommitting && isUuid(form.key) && isUnavailable(error)) return tryIt();
    throw error;
  });
}

async function claimOrFind<T>(tx: Tx, form: Form<T>, write: (tx: Tx) => Promise<T>): Promise<T> {
  const { key } = form;
  if (!isUuid(key)) return write(tx);
  const claimed = await tx
    .insertInto('formSubmission')
    .values({ key, personId: form.personId, outcome: 'null' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed === undefined) {
    const { outcome, personId } = await tx
      .selectFrom('formSubmission')
      .select(['outcome', 'personId'])
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    return personId === form.personId ? form.parse(outcome) : write(tx);
  }
  const outcome = await write(tx);
  if (form.took(outcome))
    await tx
      .updateTable('formSubmission')
      .set({ outcome: JSON.stringify(outcome) })
      .where('key', '=', key)
      .execute();
  else await tx.deleteFrom('formSubmission').where('key', '=', key).execute();
  return outcome;
}
