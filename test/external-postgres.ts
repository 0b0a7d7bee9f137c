// An external PostgreSQL: over TCP, with another locale and other settings, and a database whose owner has no other
// rights. It uses the embedded binaries, or an older version if this machine has one.
import { execFile, spawn } from 'node:child_process';
import { access, chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findBinaries, findHome } from '#app/platform/embedded-postgres/binaries.server.ts';
import { endWithProcess, freePort, type SocketAddress } from './cluster.ts';

const SYSTEM_BINARIES = '/usr/lib/postgresql';
const OLDEST = 15;
const READY_WITHIN_MS = 30_000;
const SETTINGS = {
  fsync: 'off',
  timezone: 'Australia/Perth',
  datestyle: 'German, DMY',
  intervalstyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-3',
};

/** `owner`: its superuser, on a database of another. */
export type ExternalPostgres = { url: string; owner: SocketAddress; version: string; stop: () => Promise<void> };
/**
 * `native`: the folder of its binaries; else the embedded ones. `locale`: of the operating system, with nothing set but
 * what `settings` say; else one of ICU, with settings that differ from the embedded server's.
 */
export type ExternalOptions = { native?: string | undefined; locale?: string; settings?: Record<string, string> };

/** The folder of an older PostgreSQL than the embedded one, from 15; undefined where this machine has none. */
export async function olderPostgres(): Promise<string | undefined> {
  const versions = (await readdir(SYSTEM_BINARIES).catch(() => [])).map(Number).filter((major) => major >= OLDEST);
  for (const major of versions.toSorted((a, b) => a - b)) {
    const folder = path.join(SYSTEM_BINARIES, String(major));
    const isWhole = await access(path.join(folder, 'bin/initdb')).then(
      () => true,
      () => false,
    );
    if (isWhole && major < 18) return folder;
  }
  return undefined;
}

/** Starts one, with an empty database. */
export async function startExternalPostgres(options: ExternalOptions = {}): Promise<ExternalPostgres> {
  const { native, locale, settings = locale === undefined ? SETTINGS : {} } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'external-'));
  await chmod(folder, 0o755);
  const log = { info: () => {} };
  const { runAs } = await findHome(folder, log);
  const binaries = path.join(native ?? (await findBinaries(runAs, log)).native, 'bin');
  const data = path.join(folder, 'postgres/data');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const passwordFile = path.join(folder, 'password');
  await writeFile(passwordFile, 'owner', { mode: 0o644 });
  if (runAs !== undefined) for (const each of [path.dirname(data), data]) await chown(each, runAs.uid, runAs.gid);
  const asOwner = { ...runAs, cwd: '/', env: { LC_ALL: 'C', PATH: process.env['PATH'] } };
  const collation =
    locale === undefined
      ? ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-AU', '--locale=C']
      : [`--locale=${locale}`];
  await promisify(execFile)(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'owner', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', ...collation],
    asOwner,
  );
  const port = await freePort();
  const given = { ...settings, listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const server = spawn(
    path.join(binaries, 'postgres'),
    ['-D', data, '-p', `${port}`, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...asOwner, stdio: 'ignore' },
  );
  const kept = endWithProcess(folder);
  const owner = { host: '127.0.0.1', port, user: 'owner', password: 'owner', database: 'postgres' };
  const version = await whenReady(owner);
  await ask(owner, "create role registry login password 'registry'");
  await ask(owner, 'create database registry owner registry');
  return {
    url: `postgres://registry:registry@127.0.0.1:${port}/registry`,
    owner,
    version,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      kept();
      await rm(folder, { recursive: true });
    },
  };
}

async function whenReady(owner: pg.ClientConfig): Promise<string> {
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await new Promise((resolve) => setTimeout(resolve, 100)))
    try {
      return await ask(owner, 'show server_version');
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
}

async function ask(address: pg.ClientConfig, statement: string): Promise<string> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
    return String(rows[0]?.[0]);
  } finally {
    await client.end();
  }
}
