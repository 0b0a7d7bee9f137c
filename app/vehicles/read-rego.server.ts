// Which truck a text names in this registry. A state beside it is dropped where nobody ever had the plate as it was
// typed; where two states gave out the text, it tells which.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { presentRego } from './plates.server.ts';
import { parseRego, type ParsedRego } from './vehicle.ts';

/**
 * A rego as records have it. `without`: the state that was dropped. `several`: the regos of the live vehicles that have
 * the text, where it does not say which; `rego` is then the text.
 */
export type ReadRego =
  | Extract<ParsedRego, { ok: false }>
  | (Extract<ParsedRego, { ok: true }> & { several?: readonly string[] });

type Known = { asked: string; rego: string; state: string; isLive: boolean };

/** Each of `texts` parsed, in their order. It has `without` only where its state was dropped. */
export async function readRegos(db: Db | Tx, texts: readonly string[]): Promise<ReadRego[]> {
  const parsed = texts.map(parseRego);
  const known = await findKnown(db, parsed);
  return parsed.map((one) => {
    if (!one.ok) return one;
    const { rego, without } = one;
    const isKnown = (known.get(rego) ?? []).some((vehicle) => vehicle.rego === rego);
    if (without === undefined || (isKnown && rego !== without.rego)) return bearerOf(rego, known.get(rego));
    const all = known.get(without.rego) ?? [];
    const live = all.filter(({ isLive }) => isLive);
    // Those that have it now; else those that had it.
    const bearers = live.length > 0 ? live : all;
    const inState = bearers.find(({ state }) => state === without.state);
    if (inState !== undefined) return { ok: true, rego: inState.rego };
    const named = `${without.rego}-${without.state}`;
    // Those whose states are known are in others: they are not what was asked for.
    const areOthers = bearers.length > 0 && bearers.every(({ state }) => state !== '');
    if (known.has(named) || areOthers) return { ok: true, rego: named };
    return { ...one, rego: without.rego };
  });
}

function bearerOf(rego: string, known: readonly Known[] = []): ReadRego {
  const live = known.filter(({ isLive }) => isLive).map((vehicle) => vehicle.rego);
  const [only] = live;
  if (live.length > 1) return { ok: true, rego, several: live };
  return { ok: true, rego: only ?? rego };
}

// By text: the vehicles that were asked for with a state, and all those of a text that several have.
async function findKnown(db: Db | Tx, parsed: readonly ParsedRego[]): Promise<Map<string, Known[]>> {
  const asked = new Set<string>();
  const [stated, texts] = [new Set<string>(), new Set<string>()];
  for (const one of parsed) {
    if (!one.ok) continue;
    asked.add(one.rego);
    if (one.without === undefined) continue;
    asked.add(one.without.rego);
    const { rego, state } = one.without;
    stated.add(one.rego).add(rego).add(`${rego}-${state}`);
    texts.add(one.rego).add(rego);
  }
  if (asked.size === 0) return new Map();
  const { rows } = await sql<Known>`
    with second as (select split_part(rego, '-', 1) as text, rego from vehicle
      where strpos(rego, '-') > 0 and split_part(rego, '-', 1) = any(${[...asked]}::text[]) and deleted_at is null)
    select n.text as asked, v.rego, v.plate_state as state, v.deleted_at is null as is_live from (
      select text, rego from second
      union select text, text from second
      union select text, text from unnest(${[...stated]}::text[]) text
    ) n join vehicle v on v.rego = n.rego
    union all select rego, rego, state, false from former_plate
      where rego = any(${[...stated]}::text[]) and split_part(rego, '-', 1) = any(${[...texts]}::text[])
    order by rego`.execute(db);
  return Map.groupBy(rows, (row) => row.asked);
}

export async function readRego(db: Db | Tx, text: string): Promise<ReadRego> {
  const [parsed = parseRego(text)] = await readRegos(db, [text]);
  return parsed;
}

/** The same; of a plate that a truck had before and nobody has now, the rego that this truck has now. */
export async function readPresentRego(db: Db | Tx, text: string): Promise<ReadRego> {
  const read = await readRego(db, text);
  return read.ok ? { ...read, rego: await presentRego(db, read.rego) } : read;
}
