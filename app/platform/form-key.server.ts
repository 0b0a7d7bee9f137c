// A form that is sent twice (double click, retry after a lost answer) has one effect and gets the same answer: each
// form carries a key, and the transaction of its write keeps the outcome under it.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from './database.server.ts';
import { isUuid } from './uuid.ts';

/** A key for a form that is about to be shown. */
export const newFormKey = (): string => randomUUID();

/**
 * Runs `write` in a transaction, once per `key` and person. Sent again, the first outcome is returned and nothing is
 * done; at the same time, the second waits for the first. Only outcomes that `took` (had an effect) are kept: after a
 * refusal the same form may be sent again. Without a valid key `write` simply runs.
 */
export async function once<T>(
  db: Db,
  form: { key: unknown; personId: string; parse: (kept: unknown) => T; took: (outcome: T) => boolean },
  write: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
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
  });
}
