// npm run bench:log: how long the log's page takes at 10,000 and at 100,000 entries, over HTTP, signed in: the first page,
// the middle, the last, and each filter. Medians and the slowest of twenty, after three to warm up. Ends with 1 when a
// median at 10,000 is 100 ms or more.
import { sql } from 'kysely';
import { addPerson, cookieOf, PASSWORD } from '#test/people.ts';
import { startRegistry } from '#test/start-registry.ts';

const WARM_UP = 3;
const TRIES = 20;
const MEDIAN_MAX_MS = 100;

const registry = await startRegistry();
const { email } = await addPerson(registry.db, 'admin', 'bench@registry.example');
const answer = await fetch(`${registry.url}/login`, {
  method: 'POST',
  headers: { origin: registry.url },
  body: new URLSearchParams({ email, password: PASSWORD }),
  redirect: 'manual',
});
const cookie = cookieOf(answer.headers.getSetCookie());

let failed = false;
for (const size of [10_000, 100_000]) {
  await fillTo(size);
  const last = Math.ceil(size / 20);
  for (const [name, query] of [
    ['first page', ''],
    ['middle', `?page=${last / 2}`],
    ['last page', `?page=${last}`],
    ['who', '?who=person%201'],
    ['who, last page', '?who=person%201&page=999999'],
    ['kind', '?kind=vehicle.updated'],
    ['rego', '?record=BENCH17'],
    ['address', '?record=person17@registry.example'],
    ['a month', '?from=2026-03-01&to=2026-03-31'],
    ['all together', '?who=person&kind=vehicle.updated&record=BENCH17&from=2026-01-01&to=2026-06-30'],
  ] as const) {
    const times: number[] = [];
    let found = '';
    for (let round = 0; round < WARM_UP + TRIES; round += 1) {
      const begun = performance.now();
      const page = await fetch(`${registry.url}/logs${query}`, { headers: { cookie } });
      const html = await page.text();
      if (page.status !== 200) throw new Error(`${query} was answered ${page.status}`);
      found = /([\d,]+ entr(?:y|ies))</.exec(html)?.[1] ?? '?';
      if (round >= WARM_UP) times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    const median = times[TRIES / 2] ?? 0;
    process.stdout.write(
      `${size} entries, ${name}: median ${median.toFixed(1)} ms, slowest ${(times.at(-1) ?? 0).toFixed(1)} ms (${found})\n`,
    );
    if (size === 10_000 && median >= MEDIAN_MAX_MS) failed = true;
  }
}
await registry.stop();
process.exit(failed ? 1 : 0);

// Entries of a hundred people on a thousand regos and addresses, over a year.
async function fillTo(size: number): Promise<void> {
  await sql`insert into person (email) select 'person' || n || '@registry.example' from generate_series(1, 100) n
    on conflict do nothing`.execute(registry.db);
  await sql`insert into actor (person_id, name, email)
    select id, replace(split_part(email, '@', 1), 'person', 'Person '), email from person where email like 'person%'
    on conflict do nothing`.execute(registry.db);
  await sql`select append_activity(jsonb_agg(jsonb_build_object(
      'kind', (array['vehicle.updated', 'calibration.recorded', 'profile.updated'])[1 + n % 3],
      'origin', 'imported', 'occurred_at', timestamptz '2026-01-01' + n * interval '1 year' / ${size},
      'actor_id', actors[1 + n % array_length(actors, 1)], 'subject', 'vehicle', 'subject_id', md5((n % 1000)::text),
      'topics', case when n % 3 = 2 then array['logs'] else array['vehicle:BENCH' || n % 1000, 'logs'] end,
      'details', case when n % 3 = 2 then 'person' || n % 1000 || '@registry.example updated' else 'BENCH updated' end,
      'changes', jsonb_build_array(jsonb_build_object('field', 'make', 'from', 'Mack', 'to', 'Volvo'))) order by n))
    from generate_series(1, ${size} - (select size from activity_state)) n,
      (select array_agg(id) as actors from actor where email like 'person%') a`.execute(registry.db);
  await sql`analyze`.execute(registry.db);
}
