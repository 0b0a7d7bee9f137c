// A disk that is soon full: a file system in memory, mounted on a folder. Only root can mount one.
import { execFileSync } from 'node:child_process';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

export type SmallDisk = {
  /** Leaves no byte free. */
  fill: () => Promise<void>;
  /** Frees what `fill` took. */
  empty: () => Promise<void>;
  /** Takes writing away, and gives it back. */
  setWritable: (writable: boolean) => void;
  unmount: () => void;
};

/** Mounts one on `folder`. Throws where that is not possible. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'small-disk', folder);
  let mounted = true;
  const unmount = () => {
    if (mounted) run('umount', '--lazy', folder);
    mounted = false;
  };
  // Before the folder is removed, also when the tests are interrupted.
  process.prependOnceListener('exit', unmount);
  const filler = path.join(folder, '.filler');
  return {
    async fill() {
      const block = Buffer.alloc(64 * 1024);
      const handle = await open(filler, 'a');
      try {
        // Byte by byte at the end: others write here too.
        for (const size of [block.length, 4096, 1]) while (await wrote(handle, block.subarray(0, size)));
      } finally {
        await handle.close();
      }
    },
    empty: () => rm(filler, { force: true }),
    setWritable: (writable) => run('mount', '-o', `remount,${writable ? 'rw' : 'ro'}`, folder),
    unmount() {
      process.off('exit', unmount);
      unmount();
    },
  };
}

/** Whether this process may mount. Says so where it may not: then nothing can be told about a full disk. */
export function canMount(): boolean {
  if (process.getuid?.() === 0 && process.platform === 'linux') return true;
  if (process.env['CI'] !== undefined) throw new Error('NOT RUN: full disks, as only root may mount one.');
  process.stdout.write('NOT RUN: full disks, as only root may mount one.\n');
  return false;
}

async function wrote(handle: FileHandle, bytes: Uint8Array): Promise<boolean> {
  return handle.write(bytes).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error;
      return false;
    },
  );
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
