// What every connection of the registry asks of PostgreSQL, so that one's own server behaves as the embedded one does,
// whatever its configuration, the database or the role has set. Left alone is `search_path`, which may name the schema
// that the operator chose, and `default_transaction_read_only`, by which a provider stops writes on a full disk.
import type pg from 'pg';

/** How to reach a PostgreSQL: a URL, or the embedded one's socket folder with its password. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

// Text that the database formats itself (a record that is hashed, a day, an instant).
const WORDING = {
  TimeZone: 'UTC',
  DateStyle: 'ISO,YMD',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

// What statements mean: locks are waited for and rows read again as our writes expect, and a commit that was answered
// is on the disk.
const MEANING = {
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  synchronous_commit: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  gin_fuzzy_search_limit: '0',
};

// None but those that the caller names: a command may take hours.
const LIMITS = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};

// TCP keepalive, in seconds: both sides detect a peer that is gone without closing. Else its locks would stay for
// hours.
const PEER_GONE = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25s',
};

// Plans: PostgreSQL's own figures, by which our statements were measured, and no compiling (`jit`), which took 330 ms a
// page where the page itself takes 10.
const PLANS = {
  jit: 'off',
  work_mem: '4MB',
  hash_mem_multiplier: '2',
  effective_cache_size: '4GB',
  seq_page_cost: '1',
  random_page_cost: '4',
  cpu_tuple_cost: '0.01',
  cpu_index_tuple_cost: '0.005',
  cpu_operator_cost: '0.0025',
  parallel_setup_cost: '1000',
  parallel_tuple_cost: '0.1',
  max_parallel_workers_per_gather: '2',
  from_collapse_limit: '8',
  join_collapse_limit: '8',
  geqo: 'on',
  geqo_threshold: '12',
  plan_cache_mode: 'auto',
  default_statistics_target: '100',
};
const WAYS_OF_PLANS =
  'bitmapscan gathermerge hashagg hashjoin incremental_sort indexonlyscan indexscan material memoize mergejoin ' +
  'nestloop parallel_append parallel_hash seqscan sort tidscan';

const SETTINGS: Readonly<Record<string, string>> = {
  ...WORDING,
  ...MEANING,
  ...LIMITS,
  ...PEER_GONE,
  ...PLANS,
  ...Object.fromEntries(WAYS_OF_PLANS.split(' ').map((way) => [`enable_${way}`, 'on'])),
};

/**
 * How to connect to `address` with our settings, and `more` of the caller's. `name` tells the connection from others in
 * `pg_stat_activity`.
 */
export function connectionTo(
  address: DatabaseAddress,
  name = '',
  more: Readonly<Record<string, string>> = {},
): pg.ClientConfig {
  const [reached, theirs] = withoutOptions(address);
  const ours = Object.entries({ ...SETTINGS, ...more }).map(
    ([setting, value]) => `-c ${setting}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`,
  );
  return {
    ...reached,
    application_name: `truck-scale-registry ${name}`.trim(),
    options: [...theirs, ...ours].join(' '),
  };
}

// The driver takes the options of a URL instead of ours. The URL's come first, so that ours hold where both say a
// thing.
function withoutOptions(address: DatabaseAddress): [DatabaseAddress, string[]] {
  if (!('connectionString' in address)) return [address, []];
  const [before = '', query = ''] = address.connectionString.split('?', 2);
  const parts = query.split('&').filter((part) => part !== '');
  const rest = parts.filter((part) => !part.startsWith('options='));
  const theirs = new URLSearchParams(parts.filter((part) => !rest.includes(part)).join('&')).getAll('options');
  return [{ connectionString: rest.length === 0 ? before : `${before}?${rest.join('&')}` }, theirs];
}
