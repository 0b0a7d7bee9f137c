// Folders are walls: every import of the product keeps to the levels, and what would break them is named.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, LEVELS, longestChain, offence, type Import } from './import-rule.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const sources = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'app', 'server', 'commands', 'database'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));

const there = new Set(sources);
const imports = sources.flatMap((file) => importsOf(file, readFileSync(path.join(ROOT, file), 'utf8')));

test('no import goes upwards, sideways to the right, or from the browser into the server', () => {
  expect(imports.length).toBeGreaterThan(2000);
  expect(imports.map(offence).filter((sentence) => sentence !== undefined)).toEqual([]);
});

// Who changes a file at the end of a chain may break each file before it.
test('the longest chain of imports has at most 18 files, and files form no circle', () => {
  const chain = longestChain(imports.filter(({ to }) => there.has(to)));
  expect(chain.length).toBeGreaterThan(10);
  expect(chain.length, chain.join('\n')).toBeLessThanOrEqual(18);
});

test('the chain is the longest, and a circle is refused with its files', () => {
  const along = (...files: string[]): Import[] =>
    files.slice(1).map((to, index) => ({ from: files[index] ?? '', to, specifier: to, isType: true }));
  expect(longestChain([...along('a', 'b', 'd'), ...along('a', 'c', 'e', 'd', 'f'), ...along('b', 'c')])).toEqual([
    'a',
    'b',
    'c',
    'e',
    'd',
    'f',
  ]);
  expect(() => longestChain(along('a', 'b', 'c', 'b'))).toThrow('a → b → c → b');
});

test('every level names folders that exist', () => {
  const folders = new Set(sources.flatMap((file) => [path.dirname(file), path.dirname(path.dirname(file))]));
  expect(LEVELS.flat().filter((folder) => !folders.has(`app/${folder}`))).toEqual([]);
});

test.each([
  ['a domain imports the process', 'app/vehicles/a.ts', '#server/index.ts'],
  ['a domain imports a page', 'app/vehicles/b.ts', '#app/public-search/routes/home.tsx'],
  ['the platform knows the trade', 'app/platform/http/c.ts', '#app/vehicles/verdict.ts'],
  [
    'a lower part of the platform imports a higher one',
    'app/platform/database/s.server.ts',
    '#app/platform/mail/letter.ts',
  ],
  ['a piece of the screen knows the trade', 'app/ui/d.tsx', '#app/vehicles/verdict.ts'],
  ['a lower domain imports a higher one', 'app/vehicles/t.server.ts', '#app/readings/queries.server.ts'],
  ['a lower domain takes a type of a higher one', 'app/transparency-log/u.server.ts', '#app/policy/policy.ts'],
  ['a domain imports its neighbour to the right', 'app/labels/v.server.ts', '#app/reports/vehicle-report.server.ts'],
  ['a domain imports the frame of its pages', 'app/sign-in/w.tsx', '#app/shell/account-page.tsx'],
  ['browser code imports server code', 'app/vehicles/e.tsx', './queries.server.ts'],
  ['server code imports the screen', 'app/vehicles/f.server.ts', '#app/ui/card.tsx'],
  ['the product imports a test', 'app/vehicles/g.ts', '#test/database.ts'],
  ['a page imports another page', 'app/vehicles/routes/h.tsx', '#app/public-search/routes/home.tsx'],
  [
    'the platform knows a folder without a level',
    'app/platform/http/i.server.ts',
    '#app/weighbridges/queries.server.ts',
  ],
  ['server code imports a screen of its own folder', 'app/vehicles/r.server.ts', './vehicle-form.tsx'],
  ["a noun's rules import server code", 'app/vehicles/j.ts', './queries.server.ts'],
  ["a noun's rules import the screen", 'app/vehicles/k.ts', '#app/ui/card.tsx'],
  ['a neighbour is reached by its path', 'app/visits/l.server.ts', '../vehicles/queries.server.ts'],
  ['a page reaches out by a path', 'app/vehicles/routes/m.tsx', '../../readings/calibration.ts'],
  ['the process imports a test', 'server/n.ts', '#test/database.ts'],
  ['the process imports a page', 'server/o.ts', '#app/public-search/routes/home.tsx'],
  ['a command imports a test by its path', 'commands/p.ts', '../test/database.ts'],
  ['the database imports the platform', 'database/g.ts', '#app/platform/database/database.server.ts'],
  ['the database imports the process', 'database/q.ts', '#server/index.ts'],
])('%s: refused, and both are named', (_name, file, from) => {
  const [found] = importsOf(file, `import { x } from '${from}';\nexport const y = x;\n`).map(offence);
  expect(found).toContain(file);
  expect(found).toContain(path.basename(from));
});

test.each([
  ['a page imports its folder', 'app/vehicles/routes/a.tsx', '../queries.server.ts'],
  ['a page imports a higher domain', 'app/vehicles/routes/x.tsx', '#app/labels/label-sheet.tsx'],
  ['a domain imports the platform', 'app/vehicles/b.server.ts', '#app/platform/time/calendar.ts'],
  ['the process imports a domain', 'server/c.ts', '#app/vehicles/api.server.ts'],
  ['the platform imports what is below', 'app/platform/mail/d.server.ts', '#app/platform/time/calendar.ts'],
  ['a piece of the screen imports another', 'app/ui/e.tsx', './card.tsx'],
  ['a domain shows pieces of the screen', 'app/vehicles/f.tsx', '#app/ui/card.tsx'],
])('%s: allowed', (_name, file, from) => {
  expect(importsOf(file, `import { x } from '${from}';\nexport const y = x;\n`).map(offence)).toEqual([undefined]);
});

test('types, exports, loads on demand and several names are read as they are', () => {
  const text = `import type { A } from '#app/a/b.ts';
import { type C, type D } from './c.server.ts';
import {
  type E,
  f,
} from './d.server.ts';
export { g } from './g.ts';
import './h.css';
const late = () => import('./late.ts');`;
  expect(importsOf('app/a/z.ts', text).map(({ to, isType }) => [to, isType])).toEqual([
    ['app/a/b.ts', true],
    ['app/a/c.server.ts', true],
    ['app/a/d.server.ts', false],
    ['app/a/g.ts', false],
    ['app/a/h.css', false],
    ['app/a/late.ts', false],
  ]);
});
