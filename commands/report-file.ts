// The whole report of an import, line by line, in a file beside the registry's data: it may name people, and be long.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

export type ReportFile = { add: (line: string) => void; close: () => string | undefined };

const BLOCK = 64 * 1024;
const OWNER_ONLY = 0o600;

/** Made in DATA_DIR/imports with its first line. `close` gives its path, or undefined when there was no line. */
export function openReportFile(dataDir: string): ReportFile {
  const folder = path.join(dataDir, 'imports');
  const file = path.join(folder, `${new Date().toISOString().slice(0, 19).replaceAll(':', '')}-${process.pid}.txt`);
  let handle: number | undefined;
  let waiting = '';
  const write = () => {
    if (waiting === '') return;
    if (handle === undefined) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      handle = openSync(file, 'wx', OWNER_ONLY);
    }
    writeSync(handle, waiting);
    waiting = '';
  };
  return {
    add(line) {
      waiting += `${line}\n`;
      if (waiting.length > BLOCK) write();
    },
    close() {
      write();
      if (handle === undefined) return undefined;
      closeSync(handle);
      handle = undefined;
      return file;
    },
  };
}
