// The linter enforces which folder may import which (CONTRIBUTING.md). Planted offences prove that it bites.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'import-rule-'));
  await cp(path.join(ROOT, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
});
afterAll(() => rm(folder, { recursive: true }));

async function lint(file: string, code: string): Promise<string> {
  await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
  await writeFile(path.join(folder, file), code);
  return promisify(execFile)(
    process.execPath,
    [path.join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--deny-warnings', file],
    { cwd: folder },
  ).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

test.each([
  ['a room imports the process', 'app/vehicles/a.ts', '#server/index.ts'],
  ['a room imports a door', 'app/vehicles/b.ts', '#app/public-search/routes/home.tsx'],
  ['the foundations know the trade', 'app/platform/c.ts', '#app/vehicles/verdict.ts'],
  ['a piece of the screen knows the trade', 'app/ui/d.tsx', '#app/vehicles/verdict.ts'],
  ['browser code imports server code', 'app/vehicles/e.tsx', './queries.server.ts'],
  ['server code imports the screen', 'app/vehicles/f.server.ts', '#app/ui/card.tsx'],
  ['the product imports a test', 'app/vehicles/g.ts', '#test/database.ts'],
  ['a door imports another door', 'app/vehicles/routes/h.tsx', '#app/public-search/routes/home.tsx'],
  [
    'the foundations know a part that is still to come',
    'app/platform/i.server.ts',
    '#app/weighbridges/queries.server.ts',
  ],
  ['server code imports a screen of its own room', 'app/vehicles/r.server.ts', './vehicle-form.tsx'],
  ["a noun's rules import server code", 'app/vehicles/j.ts', './queries.server.ts'],
  ["a noun's rules import the screen", 'app/vehicles/k.ts', '#app/ui/card.tsx'],
  ['a neighbour is reached by its path', 'app/vehicles/l.server.ts', '../calibrations/queries.server.ts'],
  ['a door reaches out by a path', 'app/vehicles/routes/m.tsx', '../../calibrations/calibration.ts'],
  ['the process imports a test', 'server/n.ts', '#test/database.ts'],
  ['the process imports a page', 'server/o.ts', '#app/public-search/routes/home.tsx'],
  ['a command imports a test by its path', 'commands/p.ts', '../test/database.ts'],
  ['the database imports the process', 'database/q.ts', '#server/index.ts'],
])('%s: refused', async (_name, file, from) => {
  expect(await lint(file, `import { x } from '${from}';\nexport const y = x;\n`)).toContain('no-restricted-imports');
});

test.each([
  ['a door imports its room', 'app/vehicles/routes/a.tsx', '../queries.server.ts'],
  ['a room imports the foundations', 'app/vehicles/b.server.ts', '#app/platform/calendar.ts'],
  ['the process imports a room', 'server/c.ts', '#app/vehicles/api.server.ts'],
  ['the foundations import each other', 'app/platform/d.server.ts', '#app/platform/calendar.ts'],
  ['a piece of the screen imports another', 'app/ui/e.tsx', './card.tsx'],
  ['a room shows pieces of the screen', 'app/vehicles/f.tsx', '#app/ui/card.tsx'],
  ['the database imports the foundations', 'database/g.ts', '#app/platform/database.server.ts'],
  ['a test imports what it needs', 'server/h.test.ts', '#test/database.ts'],
])('%s: allowed', async (_name, file, from) => {
  expect(await lint(file, `import { x } from '${from}';\nexport const y = x;\n`)).not.toContain(
    'no-restricted-imports',
  );
});
