// What `npm run check` (fast) and `npm test` (everything) run, and what they need on this machine.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

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
const fastUnit = { name: unit.name, run: [['vitest/vitest.mjs', 'run', '--exclude', '**/*.slow.test.ts']] };
const browser = { name: 'browser tests', run: [['@playwright/test/cli.js', 'test']] };

export const checkSteps = [types, lint, fastUnit];
export const testSteps = [types, lint, unused, unit, browser];

const CHROMIUMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

// Ceph's object gateway and what it stands on: the S3 server of test/s3.ts.
const S3_SERVER = ['radosgw', 'ceph-mon', 'ceph-osd'];

// What reads PDF files and QR codes as others do.
const PAPER_READERS = ['pdftotext', 'pdftoppm', 'zbarimg'];
const hasPaperReaders = () => PAPER_READERS.every((program) => existsSync(`/usr/bin/${program}`));

/** Finds or installs Chromium, Java for the HTML checker, an S3 server, and readers of PDF files and QR codes. Returns the environment that names them. */
export function prepareTests(root) {
  let chromium = process.env.CHROMIUM ?? CHROMIUMS.find(existsSync);
  if (chromium === undefined && aptInstall(['chromium'])) chromium = CHROMIUMS.find(existsSync);
  const env = {};
  if (chromium !== undefined) env.CHROMIUM = chromium;
  else
    spawnSync(process.execPath, [path.join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'], {
      stdio: 'inherit',
    });
  if (!hasJava()) aptInstall(['default-jre-headless']);
  if (!hasJava()) process.stdout.write('NOT RUN: the Nu HTML checker, as there is no Java on this machine.\n');
  if (!S3_SERVER.every((program) => existsSync(`/usr/bin/${program}`))) aptInstall(S3_SERVER);
  if (!hasPaperReaders()) aptInstall(['poppler-utils', 'zbar-tools']);
  return { ...env, HAS_JAVA: hasJava() ? 'yes' : 'no' };
}

function hasJava() {
  return spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0;
}

// Only on Debian and only as root: nobody else can install.
function aptInstall(names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  process.stdout.write(`Installing ${names.join(', ')} for the tests…\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
  return (
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    }).status === 0
  );
}
