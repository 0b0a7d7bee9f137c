// Explains why the process cannot start, as one plain sentence. Only an unknown error shows its stack.
import { MigrationError } from '#database/migration-error.ts';
import { StorageUnavailable } from '#app/platform/storage/bucket.server.ts';
import { ConfigError } from '#app/platform/process/config.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';

type SystemError = Error & Partial<Record<'code' | 'path' | 'port' | 'address' | 'hostname', unknown>>;

/** The sentence for an operator, after what was not done. An unknown error shows its message and stack. */
export function explainStartError(error: unknown, notDone = 'Not started'): string {
  if (error instanceof ConfigError || error instanceof MigrationError || error instanceof StartError)
    return `${notDone}. ${error.message}`;
  if (!(error instanceof Error)) return `${notDone}: ${String(error)}`;
  if (error instanceof StorageUnavailable) return `${notDone}. ${error.message}.`;
  const { code, path: file, port, address, hostname }: SystemError = error;
  if (code === 'EADDRINUSE')
    return `${notDone}. Port ${String(port)} is taken by another program. Stop it, or choose another with PORT.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${notDone}. HOST ${String(address ?? hostname ?? '')} is not an address of this machine.`;
  if (code === 'EACCES' && port !== undefined)
    return `${notDone}. Port ${String(port)} may not be used by this user. Choose one above 1023 with PORT.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `${notDone}. ${String(file)} cannot be written. Check the owner of DATA_DIR, or set another.`;
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${notDone}. ${String(file)} is not a folder. Set DATA_DIR to a folder.`;
  if (code === 'EMFILE' || code === 'ENFILE')
    return `${notDone}. Too few files may be open at once here. Allow 1,024 or more: ulimit -n 1024.`;
  if (code === 'ENOSPC') return `${notDone}. The disk is full.`;
  return `${notDone}: ${error.stack ?? error.message}`;
}
