import { defineConfig, devices } from '@playwright/test';

// What only a long run can show stands in files of that name: `npm run test:endurance`.
const LONG = '**/*.endurance.spec.ts';
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
    { name: 'daily', testIgnore: LONG },
    { name: 'endurance', testMatch: LONG },
  ],
  use: {
    ...devices['Desktop Chrome'],
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
});
