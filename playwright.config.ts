import { defineConfig, devices } from '@playwright/test';

// `npm test` runs the stories of each role; all others belong to `npm run test:rest`.
const ROLES = {
  public: ['anyone-finds-a-vehicle', 'the-verdict-comes-first', 'many-trucks-are-checked'],
  'loading office': ['the-lists-are-worked-from', 'a-list-is-kept'],
  technician: ['a-technician-calibrates', 'a-visit-without-reception'],
  admin: [
    'admins-decide-about-visits',
    'weighbridges-are-withdrawn',
    'weighbridges-are-registered',
    'the-policy-has-versions',
    'admins-are-added',
  ],
  operator: ['the-first-administrator.own'],
};
const DAILY = Object.values(ROLES).flatMap((stories) => stories.map((name) => `**/${name}.spec.ts`));
// What only a long run can show.
const LONG = '**/*.endurance.spec.ts';
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
    { name: 'own registry', testMatch: OWN, testIgnore: DAILY },
    { name: 'roles', testMatch: DAILY },
    { name: 'others', testIgnore: [LONG, OWN, ...DAILY] },
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
