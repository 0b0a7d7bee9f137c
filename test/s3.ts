// A real S3-compatible storage for tests: Ceph's object gateway over a monitor and a storage daemon in memory, three
// processes of Debian's own packages (radosgw, ceph-mon, ceph-osd), up in about two seconds. It checks signatures,
// knows multipart and ranges, and its conditional writes are atomic.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { endWithProcess, freePort } from './cluster.ts';

const run = promisify(execFile);
const PROGRAMS = ['radosgw', 'ceph-mon', 'ceph-osd'];
const READY_WITHIN_MS = 60_000;

export type S3Server = {
  endpoint: string;
  /** The settings of a registry on `bucket`. */
  env: { S3_BUCKET: string; S3_REGION: string; S3_ENDPOINT: string } & Credentials;
  bucket: string;
  /** A client as a stranger would make it, to look at the bucket without the product's code. */
  client: S3Client;
  /** Another bucket, empty; returns its name. */
  newBucket: () => Promise<string>;
  /** Ends what answers at `endpoint`, at once; what was stored stays. */
  cut: () => Promise<void>;
  /** Lets it answer again, at the same address. */
  restore: () => Promise<void>;
  /** Connections are taken and nothing is answered any more, until `thaw`. */
  freeze: () => void;
  thaw: () => void;
  stop: () => Promise<void>;
};
type Credentials = { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };

/** Whether this machine has the server. `npm test` installs it on Debian; where CI is set its absence is an error. */
export function hasS3(): boolean {
  if (PROGRAMS.every((program) => existsSync(`/usr/bin/${program}`))) return true;
  if (process.env.CI !== undefined) throw new Error(`CI has no S3 server: ${PROGRAMS.join(', ')}`);
  process.stdout.write('NOT RUN: S3-compatible storage, as there is no Ceph (radosgw) on this machine.\n');
  return false;
}

/** Starts one of its own, with one empty bucket. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(path.join(tmpdir(), 'registry-s3-'));
  const daemons = new Set<ChildProcess>();
  const kept = endWithProcess(folder, () => daemons.forEach((daemon) => daemon.kill('SIGKILL')));
  const conf = path.join(folder, 'ceph.conf');
  const fsid = randomUUID();
  const monitor = `[v2:127.0.0.1:${await freePort()}]`;
  await Promise.all(['mon', 'osd'].map((name) => mkdir(path.join(folder, name))));
  await writeFile(conf, settings(folder, fsid, monitor));
  const keyring = path.join(folder, 'keyring');
  const map = path.join(folder, 'monmap');
  const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
  await run('ceph-authtool', ['--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *']);
  for (const name of ['osd.0', 'client.admin']) await run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...all]);
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', monitor, map]);
  await run('ceph-mon', ['-c', conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring]);

  const start = (program: string, args: string[]): ChildProcess => {
    const daemon = spawn(program, ['-c', conf, '-f', ...args], { stdio: 'ignore' });
    daemons.add(daemon);
    daemon.once('exit', () => daemons.delete(daemon));
    return daemon;
  };
  start('ceph-mon', ['-i', 'a']);
  await run('ceph-osd', ['-c', conf, '--mkfs', '-i', '0', '--osd-uuid', fsid]);
  await run('ceph', ['-c', conf, 'osd', 'new', fsid, '0']);
  start('ceph-osd', ['-i', '0']);
  const keys: Credentials = { AWS_ACCESS_KEY_ID: 'REGISTRYTESTS', AWS_SECRET_ACCESS_KEY: randomUUID() };
  await run('radosgw-admin', [
    `--conf=${conf}`,
    'user',
    'create',
    '--uid=registry',
    '--display-name=registry',
    `--access-key=${keys.AWS_ACCESS_KEY_ID}`,
    `--secret-key=${keys.AWS_SECRET_ACCESS_KEY}`,
  ]);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let gateway: ChildProcess | undefined;
  const restore = async () => {
    gateway = start('radosgw', ['-n', 'client.admin', '--rgw_frontends', `beast endpoint=127.0.0.1:${port}`]);
    await answers(endpoint, gateway);
  };
  await restore();

  const client = new S3Client({
    endpoint,
    region: REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: keys.AWS_ACCESS_KEY_ID, secretAccessKey: keys.AWS_SECRET_ACCESS_KEY },
  });
  const newBucket = async () => {
    const name = `registry-${randomUUID().slice(0, 8)}`;
    await client.send(new CreateBucketCommand({ Bucket: name }));
    return name;
  };
  const bucket = await newBucket();
  return {
    endpoint,
    bucket,
    env: { S3_BUCKET: bucket, S3_REGION: REGION, S3_ENDPOINT: endpoint, ...keys },
    client,
    newBucket,
    cut: () => ended(gateway),
    restore,
    freeze: () => void gateway?.kill('SIGSTOP'),
    thaw: () => void gateway?.kill('SIGCONT'),
    async stop() {
      client.destroy();
      await Promise.all([...daemons].map(ended));
      kept();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const REGION = 'us-east-1';

// One copy of everything, in memory, in few and small pools; decided at once rather than each second.
function settings(folder: string, fsid: string, monitor: string): string {
  return `[global]
fsid = ${fsid}
mon host = ${monitor}
mon data = ${folder}/mon
osd data = ${folder}/osd
run dir = ${folder}
keyring = ${folder}/keyring
admin socket =
log file = /dev/null
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
paxos propose interval = 0.01
paxos min wait = 0.01
mon data avail crit = 0
mon allow pool size one = true
mon max pg per osd = 10000
osd objectstore = memstore
memstore device bytes = 4294967296
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
rgw num control oids = 1
rgw gc max objs = 1
rgw cache enabled = false
rgw enable gc threads = false
rgw enable lc threads = false
rgw enable quota threads = false
rgw run sync thread = false
rgw dynamic resharding = false
`;
}

async function answers(endpoint: string, gateway: ChildProcess): Promise<void> {
  for (
    const deadline = Date.now() + READY_WITHIN_MS;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    if (gateway.exitCode !== null) throw new Error(`the S3 server ended with ${gateway.exitCode}`);
    if ((await fetch(endpoint).catch(() => undefined))?.ok === true) return;
  }
  throw new Error('the S3 server does not answer in time');
}

async function ended(daemon: ChildProcess | undefined): Promise<void> {
  if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exit = new Promise((resolve) => daemon.once('exit', resolve));
  daemon.kill('SIGKILL');
  await exit;
}
