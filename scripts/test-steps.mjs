// What `npm run check` (fast), `npm test` (every kind of test) and `npm run test:endurance` (what only a long run can show)
// run, and what the latter two need on this machine.

const types = {
  name: 'types',
  run: [
    ['@react-router/dev/bin.cjs', 'typegen'],
    ['typescript/bin/tsc', '--noEmit'],
  ],
};
const lint = { name: 'lint', run: [['oxlint/bin/oxlint', '--deny-warnings']] };
const unused = { name: 'unused code', run: [['knip/bin/knip.js']] };
const unit = { name: 'unit and database tests', run: [['vitest/vitest.mjs', 'run']] };
// What takes two seconds or more by itself stands in files of that name, and is left to `npm test`.
const fastUnit = { name: unit.name, run: [['vitest/vitest.mjs', 'run', '--exclude', '**/*.{slow,sampled}.test.ts']] };
const longUnit = { name: 'endurance', run: [['vitest/vitest.mjs', 'run', '--mode', 'endurance']] };
const inBrowser = (name, project) => ({ name, run: [['@playwright/test/cli.js', 'test', `--project=${project}`]] });

export const checkSteps = [types, lint, fastUnit];
export const testSteps = [types, lint, unused, unit, inBrowser('browser tests', 'daily*')];
export const enduranceSteps = [longUnit, inBrowser('endurance in the browser', 'endurance')];
export const checkTools = ['memory for files'];
export const testTools = ['headless chromium', 'java', 's3 server', 'paper readers', ...checkTools];
