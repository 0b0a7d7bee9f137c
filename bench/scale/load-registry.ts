// A generated registry in a folder of its own, made once: exported, imported by the command, and left there.
import { spawn } from 'node:child_process';
import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { todayIn } from '#app/platform/time/calendar.ts';
import { writeNationalExport } from './national-export.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Loads `vehicles` into `folder`, unless it is there. */
export async function loadRegistry(folder: string, vehicles: number, say: (line: string) => void): Promise<void> {
  if ((await stat(path.join(folder, 'loaded')).catch(() => undefined)) !== undefined) return;
  await mkdir(folder, { recursive: true });
  // PostgreSQL runs as another user where we are root.
  await chmod(folder, 0o755);
  const file = path.join(folder, 'export.json');
  say(`Writing an export of ${vehicles} vehicles …`);
  const bytes = await writeNationalExport(file, vehicles, todayIn('Australia/Sydney'));
  const began = performance.now();
  const child = spawn('npm', ['run', '--silent', 'import', '--', file, '--trial'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the import ended with ${String(code)}`);
  say(`Imported ${Math.round(bytes / 1e6)} MB in ${Math.round((performance.now() - began) / 1000)} s.`);
  await rm(file);
  await mkdir(path.join(folder, 'loaded'));
}
