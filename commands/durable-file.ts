// What the mirror and the witness do with files: on the disk before anything is answered. The names are fixed, so that
// a kill leaves nothing behind but what the next run replaces.
import fs from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';

export function writeDurably(file: string, bytes: string | Uint8Array, how: { flag: 'w' | 'wx'; mode: number }): void {
  const open = fs.openSync(file, how.flag, how.mode);
  fs.writeFileSync(open, bytes);
  fs.fsyncSync(open);
  fs.closeSync(open);
  syncFolder(file);
}

/** A file that was made or renamed is durable only once its folder is. */
export function syncFolder(file: string): void {
  const folder = fs.openSync(path.dirname(file), 'r');
  fs.fsyncSync(folder);
  fs.closeSync(folder);
}

/**
 * Holds a name until this process ends. Undefined: another process holds it. Node has no lock of files. On Linux a
 * socket of the abstract namespace serves: the kernel gives a name to one process at a time, and takes it back however
 * that ends. A file with a process's number would outlive it, and the number be given again.
 */
export function holdName(name: string): Promise<Server | undefined> {
  const socket = createServer().unref();
  return new Promise((resolve) => {
    socket.on('error', () => resolve(undefined));
    socket.listen(`\0${name}`, () => resolve(socket));
  });
}
