import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// What only a long run can show stands in files of that name: `npm run test:rest`. It goes through all cases of which
// `npm test` takes a sample, too.
const LONG = '**/*.endurance.test.ts';
const SAMPLED = '**/*.sampled.test.ts';

// Seconds that the longest take, so that the quarters of `npm run test:rest` take about as long as each other.
const SECONDS: Readonly<Record<string, number>> = {
  topics: 400,
  fuzz: 300,
  kill: 160,
  'other-browsers': 150,
  'lists-are-killed': 145,
  'backup-restore': 130,
  stops: 250,
  flips: 90,
  'killed-publisher': 85,
  'withdrawal-is-killed': 80,
};
const secondsOf = ({ moduleId }: TestSpecification) => SECONDS[/([^/]+?)\.[^/]*$/.exec(moduleId)?.[1] ?? ''] ?? 15;

// Slow files come first: one that waits much and comes last leaves a core with nothing to do.
class SlowFirst extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    const parts = Array.from({ length: count }, (): TestSpecification[] => []);
    const lengthOf = (part: TestSpecification[]) => part.reduce((sum, file) => sum + secondsOf(file), 0);
    const longestFirst = files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a.moduleId < b.moduleId ? -1 : 1));
    for (const file of longestFirst) parts.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0]?.push(file);
    return parts[index - 1] ?? [];
  }

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
