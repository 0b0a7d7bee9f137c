import { defineConfig, devices } from '@playwright/test';

// What only a long run can show stands in files of that name: `npm run test:endurance`. It goes through
// all cases of which `npm test` takes a sample, too.
const LONG = '**/*.endurance.spec.ts';
const SAMPLED = '**/*.sampled.spec.ts';
// Those that have a registry of their own come first: the others' registries start once then.
const OWN = '**/*.own.spec.ts';
const chromium = process.env['CHROMIUM'];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A slow machine is no fault of the product: what is to be fast is measured in bench/.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  projects: [
    { name: 'daily, own registry', testMatch: OWN },
    { name: 'daily', testIgnore: [LONG, OWN] },
    { name: 'endurance', testMatch: [LONG, SAMPLED] },
  ],
  use: {
    ...devices['Desktop Chrome'],
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
});
