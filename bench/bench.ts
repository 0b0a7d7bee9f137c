// npm run bench [-- NAME ARGUMENTS]: one of the seven programs, or each in turn. Each says above what it measures, and
// by which settings; bench/RESULTS.md has what is promised, and what was measured.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const PROGRAMS = ['registry', 'histories', 'visits', 'check', 'find', 'kills', 'browser'];

const [name, ...rest] = process.argv.slice(2);
if (name !== undefined && !PROGRAMS.includes(name)) {
  process.stderr.write(`There is no bench ${name}. There are ${PROGRAMS.join(', ')}.\n`);
  process.exit(2);
}
for (const each of name === undefined ? PROGRAMS : [name]) {
  if (name === undefined) process.stdout.write(`\n${each}\n`);
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, `${each}.ts`), ...rest], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
