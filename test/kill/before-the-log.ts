// A registry of the version before the transparency log, with records in it: its next start migrates, and enters them.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { SocketAddress } from '#test/cluster.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../database/migrations');
const LAST = '0007';
const VEHICLES = 150;

/** Fills an empty database as that version left it. `settings` count from PostgreSQL's next start on. */
export async function fillBeforeTheLog(
  address: SocketAddress,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query(
      'create table schema_migration (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    for (const name of (await readdir(MIGRATIONS)).toSorted()) {
      if (name.slice(0, LAST.length) > LAST) break;
      const text = await readFile(path.join(MIGRATIONS, name), 'utf8');
      await client.query(text);
      const hash = createHash('sha256').update(text).digest('hex');
      await client.query('insert into schema_migration (name, hash) values ($1, $2)', [name, hash]);
    }
    await client.query(`insert into person (email) values ('tess@old.example')`);
    await client.query(`insert into actor (person_id, name, email) select id, 'Tess', email from person`);
    await client.query(
      `insert into technician (person_id, email, rep_name, origin) select id, email, 'Tess', 'imported' from person`,
    );
    await client.query(
      `insert into vehicle (rego, vin, origin) select 'OLD' || n, '6F5OLD' || n, 'imported' from generate_series(1, ${VEHICLES}) n`,
    );
    await client.query(`insert into calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at, technician_id, origin)
      select v.rego, n, v.id, 'STEER', 'Empty Volt', '1.5', now(), a.id, 'imported' from vehicle v, actor a, generate_series(1, 2) n`);
    await client.query(
      `insert into validation (vehicle_id, validated, origin) select id, true, 'imported' from vehicle`,
    );
    await client.query(`insert into vehicle_file (vehicle_id, role, external_url)
      select id, 'certificate', 'https://old.example/' || rego from vehicle where rego like '%1'`);
    for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`);
  } finally {
    await client.end();
  }
}
