// What a search must answer, counted by hand over every live vehicle.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

const PAGE = 10;

export type Truth = {
  regos: readonly string[];
  /** The regos that hold `needle`, in order. */
  holding: (needle: string) => readonly string[];
};

/** Reads all regos and VINs, in the order of the regos. */
export async function readTruth(db: Db): Promise<Truth> {
  const { rows } = await sql<{ rego: string; vin: string }>`select rego, vin from vehicle
    where deleted_at is null order by rego`.execute(db.withoutPlugins());
  const texts = rows.map(({ rego, vin }) => `${rego} ${vin}`);
  const known = new Map<string, readonly string[]>();
  const holding = (needle: string) => {
    const before = known.get(needle);
    if (before !== undefined) return before;
    const found = rows.flatMap(({ rego }, place) => (texts[place]?.includes(needle) === true ? [rego] : []));
    known.set(needle, found);
    return found;
  };
  return { regos: rows.map(({ rego }) => rego), holding };
}

/** Whether an answer has the total and the regos of that page. */
export function isRight(
  truth: Truth,
  needle: string,
  page: number,
  answer: { total: number; regos: readonly string[] },
) {
  const all = truth.holding(needle);
  const expected = all.slice((page - 1) * PAGE, page * PAGE);
  return answer.total === all.length && answer.regos.join(' ') === expected.join(' ');
}

export const pagesOf = (truth: Truth, needle: string): number =>
  Math.max(1, Math.ceil(truth.holding(needle).length / PAGE));
