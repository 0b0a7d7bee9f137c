import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// What only a long run can show stands in files of that name: `npm run test:rest`. It goes through all cases of which
// `npm test` takes a sample, too.
const LONG = '**/*.endurance.test.ts';
const SAMPLED = '**/*.sampled.test.ts';

// Slow files come first: one that waits much and comes last leaves a core with nothing to do.
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId }: TestSpecification) => (/\.(slow|sampled)\./.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => turn(a) - turn(b));
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    include:
      mode === 'endurance' ? [LONG, SAMPLED] : ['{app,server,database,commands,test,scripts}/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, ...(mode === 'endurance' ? [] : [LONG])],
    globalSetup: './test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // The files that one process runs share its modules: loading them for each file took a quarter of the time.
    isolate: mode === 'endurance',
  },
}));
