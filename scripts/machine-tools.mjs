// Programs from outside npm that tests and benchmarks need: found on this machine, or installed on Debian as root.
import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import path from 'node:path';

const CHROMIUMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

// Shows pages as Chromium does, without its menus and settings: browser tests take two thirds of the time.
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

// A file system in memory. Tests make and remove databases of hundreds of files each. For each new file ext4 looks at
// all that were removed in the last minute, which took half of the processors' time.
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 8 * 2 ** 30;

// By name: each installs what is missing, and returns the environment variables that name it.
const TOOLS = {
  chromium(root) {
    const found = () => process.env.CHROMIUM ?? CHROMIUMS.find(existsSync);
    if (found() === undefined) aptInstall(['chromium']);
    if (found() !== undefined) return { CHROMIUM: found() };
    spawnSync(process.execPath, [path.join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'], {
      stdio: 'inherit',
    });
    return {};
  },
  'headless chromium'(root) {
    if (process.env.CHROMIUM !== undefined) return {};
    if (!existsSync(HEADLESS_SHELL)) aptInstall(['chromium-headless-shell']);
    return existsSync(HEADLESS_SHELL) ? { CHROMIUM: HEADLESS_SHELL } : TOOLS.chromium(root);
  },
  // The HTML checker runs on it.
  java() {
    const runs = () => spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0;
    if (!runs()) aptInstall(['default-jre-headless']);
    const has = runs();
    if (!has) process.stdout.write('NOT RUN: the Nu HTML checker, as there is no Java on this machine.\n');
    return { HAS_JAVA: has ? 'yes' : 'no' };
  },
  // Ceph's object gateway and what it stands on.
  's3 server': () => aptPrograms(['radosgw', 'ceph-mon', 'ceph-osd']),
  // What reads PDF files and QR codes as others do.
  'paper readers': () => aptPrograms(['pdftotext', 'pdftoppm', 'zbarimg'], ['poppler-utils', 'zbar-tools']),
  // Firefox, WebKit, and a screen for the latter.
  'other browsers': () =>
    aptPrograms(['firefox-esr', 'WebKitWebDriver', 'Xvfb'], ['firefox-esr', 'webkit2gtk-driver', 'xvfb']),
  // Where temporary files lie, if there is room.
  'memory for files'() {
    const hasRoom = () => {
      const { bavail, bsize } = statfsSync(MEMORY);
      return bavail * bsize >= MEMORY_BYTES;
    };
    return existsSync(MEMORY) && hasRoom() ? { TMPDIR: MEMORY } : {};
  },
};

/** Finds or installs the named tools. Returns the environment that names them to what runs. */
export function prepareTools(root, names) {
  return Object.assign({}, ...names.map((name) => TOOLS[name](root)));
}

function aptPrograms(programs, packages = programs) {
  if (!programs.every((program) => existsSync(`/usr/bin/${program}`))) aptInstall(packages);
  return {};
}

// Only on Debian and only as root: nobody else can install.
function aptInstall(packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`Installing ${packages.join(', ')}…\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
}
