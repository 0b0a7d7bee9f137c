// The judge finds what it is there for: each fault that is planted, within a few of the histories in which nothing is
// found without it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServices, type TestServices } from '#test/services.ts';
import { explore, onFunctions } from './explore.ts';
import { PROGRAMS_ABOUT } from './program.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const WITHIN = 400;
let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
});
afterAll(() => services.stop());

test.each(PLANTED_FAULTS)('$fault is found', { timeout: 300_000 }, async ({ fault, perform, about }) => {
  const found = await explore({
    ground: { ...onFunctions(services, perform), programs: PROGRAMS_ABOUT[about] },
    seed: Number(process.env['SEED'] ?? 7),
    runs: WITHIN,
    shrinkForMs: 0,
  });
  expect(found?.report, fault).toMatch(
    /^(No order explains|An operation failed|What was done|The verdict of|A withdrawal, or a lift)/,
  );
  process.stdout.write(`${fault}: found in history ${found?.runs}.\n`);
});
