// A form that is sent twice (double click, retry after a lost answer) has one effect and gets the same answer: each
// form carries a key, and the transaction of its write keeps the outcome under it.
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from './database.server.ts';
import { isUnavailable } from './unavailable.server.ts';
import { isUuid } from './uuid.ts';

export type Form<T> = { key: unknown; personId: string; parse: (kept: unknown) => T; took: (outcome: T) => boolean };

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
      const [answer] = await onceEach<T, Form<T>>(tx, [form], () => write(tx).then((outcome) => [{ outcome }]));
      if (answer === undefined) throw new Error('a form came to nothing');
      isCommitting = true;
      return answer.outcome;
    });
  return tryIt().catch((error: unknown) => {
    // The connection broke between the commit and its answer, so nobody knows what became of it. The key does: the
    // second try waits until the first is over, and finds its outcome, or that there was none.
    if (isCommitting && isUuid(form.key) && isUnavailable(error)) return tryIt();
    throw error;
  });
}

/** What became of a form; undefined when nothing was done, and it may be sent again. */
type Became<T> = { outcome: T } | undefined;

/**
 * The same for several forms within one transaction. `write` gets those that are to have their effect now, and answers in
 * their order. A key that is there twice has one effect. Waits for a key that another transaction is about to keep; for a
 * moment only where it is briefly, and throws then.
 */
export async function onceEach<T, F extends Form<T>>(
  tx: Tx,
  forms: readonly F[],
  write: (forms: readonly F[]) => Promise<readonly Became<T>[]>,
  { isBriefly = false }: { isBriefly?: boolean } = {},
): Promise<Became<T>[]> {
  const byKey = new Map<string, F>();
  for (const form of forms) if (isUuid(form.key) && !byKey.has(form.key)) byKey.set(form.key, form);
  const kept = await claimOrFind(tx, byKey, isBriefly);
  const became = new Map<F, Became<T>>();
  const toDo = forms.filter((form) => {
    const { key, personId } = form;
    if (!isUuid(key)) return true;
    const before = kept.get(key);
    if (before === undefined) return byKey.get(key) === form || byKey.get(key)?.personId !== personId;
    if (before.personId !== personId) return true;
    became.set(form, { outcome: form.parse(before.outcome) });
    return false;
  });
  const written = toDo.length === 0 ? [] : await write(toDo);
  for (const [place, form] of toDo.entries()) became.set(form, written[place]);
  const claims = [...byKey].filter(([key]) => !kept.has(key));
  await keepOrRelease(
    tx,
    claims.map(([key, form]) => ({ key, form, answer: became.get(form) })),
  );
  return forms.map((form) => {
    if (became.has(form)) return became.get(form);
    const first = isUuid(form.key) ? byKey.get(form.key) : undefined;
    return first === undefined ? undefined : became.get(first);
  });
}

type Kept = { personId: string; outcome: unknown };

// In the order of the keys, so that of two transactions with the same ones the second only waits.
async function claimOrFind(
  tx: Tx,
  byKey: ReadonlyMap<string, { personId: string }>,
  isBriefly: boolean,
): Promise<Map<string, Kept>> {
  if (byKey.size === 0) return new Map();
  const keys = [...byKey.keys()].toSorted();
  const people = keys.map((key) => byKey.get(key)?.personId);
  const { rows } = isBriefly
    ? await sql<{ key: string }>`select key from claim_forms(${keys}::uuid[], ${people}::uuid[]) as key`.execute(tx)
    : await sql<{ key: string }>`insert into form_submission (key, person_id, outcome)
        select key, person_id, 'null' from unnest(${keys}::uuid[], ${people}::uuid[]) as form (key, person_id) order by key
        on conflict (key) do nothing returning key`.execute(tx);
  if (rows.length === keys.length) return new Map();
  const claimed = new Set(rows.map(({ key }) => key));
  const found = await tx
    .selectFrom('formSubmission')
    .select(['key', 'outcome', 'personId'])
    .where(
      'key',
      'in',
      keys.filter((key) => !claimed.has(key)),
    )
    .execute();
  if (found.length + rows.length < keys.length) throw new Error('a form key is neither new nor kept');
  return new Map(found.map(({ key, ...more }) => [key, more]));
}

async function keepOrRelease<T>(
  tx: Tx,
  claims: readonly { key: string; form: Form<T>; answer: Became<T> }[],
): Promise<void> {
  const took: string[] = [];
  const outcomes: string[] = [];
  const released: string[] = [];
  for (const { key, form, answer } of claims)
    if (answer !== undefined && form.took(answer.outcome)) {
      took.push(key);
      outcomes.push(JSON.stringify(answer.outcome));
    } else released.push(key);
  if (took.length > 0)
    await sql`update form_submission f set outcome = t.outcome::jsonb
      from unnest(${took}::uuid[], ${outcomes}::text[]) as t (key, outcome) where f.key = t.key`.execute(tx);
  if (released.length > 0) await tx.deleteFrom('formSubmission').where('key', 'in', released).execute();
}
