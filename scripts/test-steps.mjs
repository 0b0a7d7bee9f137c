// The tiers of tests: `npm run check` while one works, `npm test` before one pushes, `npm run test:rest` what that
// leaves out. With each, what it needs on this machine.

const types = {
  name: 'types',
  run: [
    ['@react-router/dev/bin.cjs', 'typegen'],
    ['typescript/bin/tsc', '--noEmit'],
  ],
};
const lint = { name: 'lint', run: [['oxlint/bin/oxlint', '--deny-warnings']] };
const unused = { name: 'unused code', run: [['knip/bin/knip.js']] };
const vitest = (name, ...args) => ({ name, run: [['vitest/vitest.mjs', 'run', ...args]] });
const inBrowser = (name, ...args) => ({ name, run: [['@playwright/test/cli.js', 'test', ...args]] });
// What takes two seconds or more by itself stands in files of that name.
const unit = vitest('unit and database tests', '--exclude', '**/*.slow.test.ts');

export const checkSteps = [types, lint, unit];
export const testSteps = [types, lint, unused, unit, inBrowser('the stories of each role', '--project=roles')];
/** What `npm test` leaves out. `part` is a quarter of it, as 3/4; without one, all. */
export const restSteps = (part) => {
  const shard = part === undefined ? [] : [`--shard=${part}`];
  return [
    vitest('slow tests', '.slow.test.', ...shard),
    vitest('endurance', '--mode', 'endurance', ...shard),
    inBrowser('all other stories', '--project=own registry', '--project=others', '--project=endurance', ...shard),
  ];
};

export const checkTools = ['memory for files'];
export const testTools = ['headless chromium', 'paper readers', ...checkTools];
export const restTools = ['java', 's3 server', 'other browsers', ...testTools];
