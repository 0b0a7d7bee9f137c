// The whole report of an import, line by line, in a file beside the registry's data: it may name people, and be long.
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** Made in DATA_DIR/imports with its first line. `file` gives its path, or undefined while there is no line. */
export function openReportFile(dataDir: string): { add: (line: string) => void; file: () => string | undefined } {
  const folder = path.join(dataDir, 'imports');
  const file = path.join(folder, `${new Date().toISOString().slice(0, 19).replaceAll(':', '')}-${process.pid}.txt`);
  let isThere = false;
  return {
    add(line) {
      if (!isThere) mkdirSync(folder, { recursive: true, mode: 0o700 });
      isThere = true;
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    },
    file: () => (isThere ? file : undefined),
  };
}
