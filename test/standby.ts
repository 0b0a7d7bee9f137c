// A streaming replica of an embedded PostgreSQL. It starts from a copy of the running server's folder.
import { execFileSync } from 'node:child_process';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { findBinaries, findHome } from '#app/platform/embedded-postgres/binaries.server.ts';
import { clusterIn, startCluster } from '#app/platform/embedded-postgres/cluster.server.ts';
import { urlOf } from './database.ts';
import type { SocketAddress } from './cluster.ts';

export type Standby = {
  url: string;
  query: (statement: string) => Promise<unknown[]>;
  signal: (signal: NodeJS.Signals) => Promise<void>;
};

/** Starts one of the cluster of `dataDir`; it ends with `signal`. */
export async function startStandby(dataDir: string, address: SocketAddress): Promise<Standby> {
  const log = { info: () => {} };
  const home = await findHome(dataDir, log);
  const folder = path.join(dataDir, 'standby');
  const cluster = clusterIn(folder, await findBinaries(home.runAs, log));
  await mkdir(cluster.socket, { recursive: true, mode: 0o755 });
  const primary = new pg.Client({ ...address, database: 'postgres' });
  await primary.connect();
  await primary.query("select pg_create_physical_replication_slot('standby', true)");
  await primary.query("select pg_backup_start('standby', true)");
  // Files may vanish while they are copied. The write-ahead log restores them.
  try {
    execFileSync('cp', ['-a', path.join(home.folder, 'data'), folder], { stdio: 'ignore' });
  } catch {
    // some files vanished
  }
  const { rows } = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await primary.end();
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(path.join(cluster.data, name), { force: true });
  await writeFile(path.join(cluster.data, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(path.join(cluster.data, 'standby.signal'), '');
  if (home.runAs !== undefined) {
    const { uid, gid } = home.runAs;
    for (const owned of [folder, cluster.socket, 'backup_label', 'standby.signal'])
      await chown(path.isAbsolute(owned) ? owned : path.join(cluster.data, owned), uid, gid);
  }
  startCluster(cluster, {
    fsync: 'off',
    primary_slot_name: 'standby',
    primary_conninfo: `host=${address.host} port=${address.port} user=${address.user} password=${address.password}`,
  });
  const own = { ...address, host: cluster.socket };
  const query = async (statement: string) => {
    const client = new pg.Client(own);
    client.on('error', () => {});
    await client.connect();
    return client.query<object>(statement).then(
      async (result) => {
        await client.end();
        return result.rows;
      },
      async (error: unknown) => {
        await client.end();
        throw error;
      },
    );
  };
  for (const deadline = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 50)))
    try {
      await query('select 1');
      break;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  return {
    url: urlOf(own),
    query,
    async signal(signal) {
      const pid = Number((await readFile(path.join(cluster.data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, signal);
    },
  };
}
