// What processes cost: their processor time and memory, from /proc (Linux).
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

// Of a second: what housekeeping takes.
const BUSY_MS = 100;
const MS_PER_TICK = 10; // USER_HZ is 100 on every Linux

/** The pid of the PostgreSQL of a data folder. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

/** Milliseconds of processor time that a process has taken, all threads; `withEnded`: its ended children too. */
export async function cpuOf(pid: number, withEnded = false): Promise<number> {
  const fields = await statOf(pid);
  const ticks = [11, 12, ...(withEnded ? [13, 14] : [])].map((place) => Number(fields?.[place] ?? 0));
  return ticks.reduce((sum, part) => sum + part, 0) * MS_PER_TICK;
}

/** The same of a PostgreSQL: the postmaster, its processes and those that have ended. */
export async function cpuOfPostgres(postmaster: number): Promise<number> {
  for (;;) {
    const withEnded = await cpuOf(postmaster, true);
    let living = 0;
    for (const name of await readdir('/proc')) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      if (Number((await statOf(pid))?.[1]) === postmaster) living += await cpuOf(pid);
    }
    // One that ended meanwhile is in neither sum, or in both.
    if ((await cpuOf(postmaster, true)) === withEnded) return withEnded + living;
  }
}

/**
 * Waits until a server and its PostgreSQL did next to nothing for three seconds. After its start, and every ten
 * minutes, the server checks all that it has published; and the database vacuums by itself.
 */
export async function untilQuiet(pid: number, postmaster: number): Promise<void> {
  const busy = async () => (await cpuOf(pid)) + (await cpuOfPostgres(postmaster));
  for (let before = await busy(), quiet = 0; quiet < 3; quiet += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = await busy();
    if (now - before > BUSY_MS) quiet = -1;
    before = now;
  }
}

/** Resident memory in MB. */
export async function residentOf(pid: number): Promise<number> {
  const match = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}

// The fields behind the name, which may hold blanks and brackets: state first.
async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}
