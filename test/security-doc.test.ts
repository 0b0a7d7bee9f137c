// docs/security.md names tests that are there, and each requirement once.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const ROW = /^\| (\d+\.\d+\.\d+) +\| (yes|part|no|–|runs it) +\| (.+) \|$/gm;

test('each requirement stands there once, with a test that is there or a reason', async () => {
  const text = await readFile(path.join(ROOT, 'docs/security.md'), 'utf8');
  const rows = [...text.matchAll(ROW)].map(([, number = '', met = '', why = '']) => ({ number, met, why }));
  // Those of levels 1 and 2 in all chapters but V10 and V17.
  expect(new Set(rows.map(({ number }) => number)).size).toBe(217);
  expect(rows).toHaveLength(217);
  const folders = ['app', 'server', 'commands', 'scripts', 'test', 'e2e'];
  const names = (
    await Promise.all(folders.map((folder) => readdir(path.join(ROOT, folder), { recursive: true })))
  ).flat();
  const tests = names.flatMap((name) => /([^/]+)\.(?:test|spec)\.tsx?$/.exec(name)?.[1] ?? []);
  const named = rows.flatMap(({ why }) =>
    [...why.matchAll(/`([a-z][a-z0-9-]*(?:\.(?:slow|sampled|endurance|own))?)`/g)].map(([, name]) => name),
  );
  const notTests = new Set(['smtps', 'autocomplete', 'no-store']);
  expect(named.filter((name = '') => !tests.includes(name) && !notTests.has(name))).toEqual([]);
});

test('it says how to report a hole, and what is protected against whom; the README leads there', async () => {
  const text = await readFile(path.join(ROOT, 'docs/security.md'), 'utf8');
  const partOf = (heading: string) => text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  expect(partOf('Reporting a hole')).toMatch(
    /`\/\.well-known\/security\.txt`[^]*`SECURITY_CONTACT`[^]*`npm run -s sbom`/,
  );
  const table = partOf('What is protected, against whom')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  expect(table.length).toBeGreaterThan(6);
  expect(await readFile(path.join(ROOT, 'README.md'), 'utf8')).toMatch(/docs\/security\.md\)[^.]*report a\s+hole/);
});
