// What the commands say of themselves: help on one screen, each command in it, and what the registry is made of.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';

const RUN = path.join(import.meta.dirname, 'run.mjs');
const run = (...args: string[]) => promisify(execFile)(process.execPath, [RUN, ...args], { maxBuffer: 16 * 2 ** 20 });

test('help names every command of package.json on one screen', async () => {
  const { stdout } = await run('help');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const text = await readFile(path.join(import.meta.dirname, '../package.json'), 'utf8');
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(text));
  expect(Object.keys(scripts)[0]).toBe('help');
  for (const name of Object.keys(scripts))
    expect(stdout, name).toContain(name === 'format:check' ? 'format' : name === 'help' ? '' : name);
});

test('the table of the README has the commands of package.json', async () => {
  const readme = await readFile(path.join(import.meta.dirname, '../README.md'), 'utf8');
  const text = await readFile(path.join(import.meta.dirname, '../package.json'), 'utf8');
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(text));
  const named = [...readme.matchAll(/^\| `([a-z][\w:-]*)` \|/gm)].map(([, name]) => name);
  const wanted = Object.keys(scripts).filter((name) => !/^(help|format:check)$/.test(name));
  expect(named.toSorted()).toEqual(wanted.toSorted());
});

test('a command that is not there leads to help', async () => {
  await expect(run('strat')).rejects.toMatchObject({
    code: 1,
    stderr: 'There is no command strat. npm run help lists them.\n',
  });
});

test.skipIf(process.platform === 'win32')(
  'too few files that may be open are named before anything is built',
  async () => {
    const start = promisify(execFile)('sh', ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, RUN, 'start']);
    await expect(start).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Only 64 files may be open at once here, and the registry needs 256: ulimit -n 1024\n',
    });
  },
);

const bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({ name: z.string(), version: z.string(), purl: z.string(), hashes: z.array(z.unknown()).optional() }),
  ),
});
test('the SBOM has every part that is shipped, with its hash, and none that only makes or tests the registry', async () => {
  const { components } = bom.parse(JSON.parse((await run('sbom')).stdout));
  const names = components.map(({ name }) => name);
  const text = await readFile(path.join(import.meta.dirname, '../package.json'), 'utf8');
  const shipped = z.record(z.string(), z.string());
  const product = z.object({ dependencies: shipped, optionalDependencies: shipped }).parse(JSON.parse(text));
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(product.dependencies), ...Object.keys(product.optionalDependencies)]),
  );
  for (const name of ['vitest', 'lighthouse', 'oxlint']) expect(names).not.toContain(name);
  for (const { purl, hashes } of components) expect(hashes?.length, purl).toBeGreaterThan(0);
  expect(components).toContainEqual(
    expect.objectContaining({ purl: 'pkg:npm/%40embedded-postgres/linux-x64@18.4.0-beta.17' }),
  );
});
