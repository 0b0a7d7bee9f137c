// The cluster that all tests of one run share, with a migrated template database in it.
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from '#database/connection.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { migrate } from '#database/migrate.ts';

export const TEMPLATE = 'registry_template';
export type SocketAddress = { host: string; port: number; user: string; password: string; database: string };

// What a test writes need not survive a power cut, and no replica follows; nothing else differs from the real server.
// No checkpoint and no vacuum comes by itself: each new and each dropped database brings one.
export const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  max_connections: '200',
};

/** Starts the cluster and migrates the template. */
export async function startTestCluster(): Promise<{ address: SocketAddress; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'registry-test-'));
  await chmod(folder, 0o755);
  const kept = endWithProcess(folder);
  const { address, leave } = await joinEmbeddedPostgres({
    dataDir: folder,
    log: { info: () => {}, warn: () => {} },
    settings: FAST,
  });
  if (!('host' in address)) throw new Error('the embedded server has a socket');
  await makeTemplate(address);
  return {
    address,
    async stop() {
      await leave();
      kept();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function makeTemplate(address: SocketAddress): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrate({ ...address, database: TEMPLATE });
  await insistOnLeaves({ ...address, database: TEMPLATE }, false);
}

/** The constraint triggers by which no record is without a leaf of the transparency log. */
const LEAF_TRIGGERS = [
  ['vehicle', 'vehicle_has_leaf'],
  ['validation', 'validation_has_leaf'],
  ['vehicle_file', 'certificate_has_leaf'],
  ['former_plate', 'former_plate_has_leaf'],
  ['joined_record', 'joined_record_has_leaf'],
  ['technician', 'technician_has_leaf'],
  ['staff', 'admin_has_leaf'],
  ['suspension', 'suspension_has_leaf'],
  ['calibration', 'calibration_has_leaf'],
  ['calibration_set', 'calibration_set_has_leaf'],
  ['policy', 'policy_has_leaf'],
  ['visit', 'visit_has_leaf'],
  ['visit_decision', 'visit_decision_has_leaf'],
  ['check_visit', 'check_visit_has_leaf'],
  ['policy_proposal', 'policy_proposal_has_leaf'],
  ['reference', 'reference_has_leaf'],
  ['reference_verification', 'reference_verification_has_leaf'],
  ['reference_repair', 'reference_repair_has_leaf'],
  ['reference_withdrawal', 'reference_withdrawal_has_leaf'],
] as const;

/** Lets tests put records in by themselves. That the product never does, tests show with `insist` true. */
export async function insistOnLeaves(address: DatabaseAddress, insist: boolean): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  for (const [table, trigger] of LEAF_TRIGGERS)
    await client.query(`alter table ${table} ${insist ? 'enable' : 'disable'} trigger ${trigger}`);
  await client.end();
}

/**
 * Ends the server of `dataDir` and removes the folder when this process ends before it has tidied up: test runners skip
 * that when they are interrupted. `endFirst` ends what else runs on it. Returns how to call it off.
 */
export function endWithProcess(dataDir: string, endFirst: () => void = () => {}): () => void {
  const end = () => {
    endFirst();
    try {
      const pid = Number(readFileSync(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
      if (pid > 1) process.kill(pid, 'SIGQUIT');
    } catch {
      // not running
    }
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  const die = () => process.exit(143);
  process.once('exit', end);
  process.once('SIGTERM', die);
  process.once('SIGHUP', die);
  return () => {
    process.off('exit', end);
    process.off('SIGTERM', die);
    process.off('SIGHUP', die);
  };
}

/** A port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
