import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,server,database,commands,test,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: './test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
