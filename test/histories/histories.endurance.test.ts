// 200 random histories of eight clients at once, each explained by some order of what was done.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { explore, onFunctions } from './explore.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
});
afterAll(() => services.stop());

test('200 histories of eight clients are each explained by some order', { timeout: 300_000 }, async () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  let operations = 0;
  const started = Date.now();
  const found = await explore({
    ground: onFunctions(services),
    seed,
    runs: 200,
    shrinkForMs: 60_000,
    onHistory: (calls) => (operations += calls.length),
  });
  expect(found?.report).toBeUndefined();
  const findings: string[] = [];
  await verifyDatabase(services.db, (finding) => findings.push(finding));
  // The admins of each history are put straight into the tables.
  expect(findings.filter((finding) => !finding.startsWith('admin '))).toEqual([]);
  process.stdout.write(`200 histories of ${operations} operations, seed ${seed}, ${Date.now() - started} ms.\n`);
});
