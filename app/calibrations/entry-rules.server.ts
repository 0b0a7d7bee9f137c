// What a reading is judged by before it is recorded or corrected.
import { sql, type RawBuilder } from 'kysely';
import { batchLoader } from '#app/platform/database/batch-loader.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { LONGEST_INTERVAL_IN_FORCE } from '#app/policy/queries.server.ts';
import { VISIT_MS } from './calibration-set.ts';
import type { Reading } from './entry-slips.ts';

type Beside = { rego: string; personId: string | null; at: Date; except?: number | null };

// Each as SQL; `at` in milliseconds.
function readingsBeside({
  rego,
  personId,
  at,
  except,
}: Record<keyof Beside, RawBuilder<unknown>>): RawBuilder<Reading> {
  const span = sql.lit(VISIT_MS);
  const timeOf = (ms: RawBuilder<unknown>) => sql`timestamptz 'epoch' + (${ms}) * interval '1 millisecond'`;
  // A reading's id is the time of its recording, which is never before the measurement. So the ids begin there too. By the
  // truck first ("offset 0"), whatever the statistics say: all that one person ever read is much more.
  return sql<Reading>`select distinct on (c.axle, c.attribute) c.axle, c.attribute, c.value
    from (select id from vehicle where rego = ${rego} and deleted_at is null offset 0) v
    cross join lateral (select * from calibration where vehicle_id = v.id and id >= ${at} - ${span} offset 0) c
    join actor on actor.id = c.technician_id
    where actor.person_id = ${personId}
      and c.calibrated_at between ${timeOf(sql`${at} - ${span}`)} and ${timeOf(sql`${at} + ${span}`)}
      and c.id is distinct from ${except}
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    order by c.axle, c.attribute, c.id desc`;
}

/**
 * The counting readings that `personId` took of this truck within a visit's time of `at`, the latest of each axle and
 * attribute. `except`: the id of a reading that is being corrected.
 */
export async function listReadingsBeside(db: Db, { rego, personId, at, except = null }: Beside): Promise<Reading[]> {
  const asked = readingsBeside({
    rego: sql`${rego}`,
    personId: sql`${personId}::uuid`,
    at: sql`${at.getTime()}::bigint`,
    except: sql`${except}::bigint`,
  });
  return (await asked.execute(db.withoutPlugins())).rows;
}

/** What a new reading is judged by: the readings beside it, and the policy's longest interval. */
type EntryRules = { beside: Reading[]; longestIntervalDays: number };

const rules = new WeakMap<Db, (question: string) => Promise<EntryRules | undefined>>();

/** The rules for a reading recorded by `personId` at `at`. Forms that arrive at once share one statement. */
export async function readEntryRules(db: Db, { rego, personId, at }: Beside): Promise<EntryRules> {
  let read = rules.get(db);
  if (read === undefined) rules.set(db, (read = batchLoader((questions) => readRules(db, questions))));
  const found = await read(questionOf({ rego, person: personId, at: at.getTime() }));
  if (found === undefined) throw new Error('the query for the rules of a reading returned no row');
  return found;
}

type Question = { rego: string; person: string | null; at: number };
const questionOf = ({ rego, person, at }: Question) => JSON.stringify({ rego, person, at });

async function readRules(db: Db, questions: readonly string[]): Promise<Map<string, EntryRules>> {
  const beside = readingsBeside({
    rego: sql`q.rego`,
    personId: sql`q.person`,
    at: sql`q.at`,
    except: sql`null::bigint`,
  });
  type Row = Question & { longest: number; beside: Reading[] };
  const { rows } = await sql<Row>`select q.rego, q.person, q.at, ${LONGEST_INTERVAL_IN_FORCE} as longest,
      (select coalesce(json_agg(r), '[]') from (${beside}) r) as beside
    from jsonb_to_recordset(${`[${questions.join(', ')}]`}::jsonb) as q (rego text, person uuid, at bigint)`.execute(
    db.withoutPlugins(),
  );
  return new Map(
    rows.map(({ longest, beside, ...asked }) => [questionOf(asked), { beside, longestIntervalDays: longest }]),
  );
}
