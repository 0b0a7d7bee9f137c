// The way into every command: makes what is missing on this machine, then runs the command on the project's own Node.
// Without dependencies, for the system's Node 20 or newer.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { COMMANDS, HELP } from './commands.mjs';
import { prepareTools } from './machine-tools.mjs';
import { checkSteps, checkTools, restSteps, restTools, testSteps, testTools } from './test-steps.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const exe = process.platform === 'win32' ? '.exe' : '';
const BUILT_FROM = [
  'app',
  'server',
  'public',
  'commands',
  'scripts/build-verifier.mjs',
  'vite.config.ts',
  'react-router.config.ts',
  'package-lock.json',
  'tsconfig.json',
];
const LOCK_WAIT_MS = 10 * 60_000;
const OPEN_FILES_MIN = 256;

// The child process that runs now, and the first signal that asked to stop. Each signal goes on to the child, which
// heeds the first one and tidies up; this process ends after it.
let worker;
let asked;
let passOn = (signal) => worker?.kill(signal);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => {
    passOn(signal);
    asked ??= signal;
  });
// Writing to a closed terminal fails, and must not end the command.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

const [command = 'start', ...rest] = process.argv.slice(2);
if (command === 'help') process.stdout.write(HELP);
else if (command === 'check') process.exit(await runSteps(checkSteps, prepareTools(root, checkTools)));
else if (command === 'test') process.exit(await test(testSteps, testTools));
else if (command === 'test:all') process.exit(await test([...testSteps, ...restSteps()], restTools));
else if (command === 'test:rest') process.exit(await testRest(rest[0]));
else if (command === 'verify' && rest[0] === 'db') await runCommand('verify db', rest.slice(1));
else await runCommand(command, rest);

async function runCommand(name, args) {
  const plan = COMMANDS[name];
  if (plan === undefined) fail(`There is no command ${name}. npm run help lists them.`);
  insistOnOpenFiles();
  await withLock(async () => {
    await install();
    if (plan.build) await build();
  });
  if (plan.entry === undefined) return;
  const tools = prepareTools(root, plan.tools ?? []);
  const { code, signal } = await runProgram(
    nodeBinary(),
    [...(plan.node ?? []), path.join(root, plan.entry), ...(plan.args ?? []), ...args],
    { stdio: 'inherit', env: { ...process.env, ...tools, ...plan.env } },
  );
  process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
}

// Runs a program to its end, unless a signal came before.
function runProgram(program, args, options) {
  endIfAsked();
  return new Promise((resolve) => {
    worker = spawn(program, args, options);
    let output = '';
    for (const stream of [worker.stdout, worker.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        if (options.show === true) process.stdout.write(chunk);
      });
    worker.on('error', (error) => fail(`${program} cannot be run: ${error.message}`));
    worker.on('close', (code, signal) => resolve({ code, signal, output }));
  });
}

function endIfAsked() {
  if (asked !== undefined) process.exit(128 + constants.signals[asked]);
}

async function test(steps, tools) {
  await withLock(async () => {
    await install();
    await build();
  });
  return runSteps(steps, prepareTools(root, tools));
}

// All that `npm test` leaves out, a quarter of it (3/4), or the one that the commit's hash picks (by-commit).
async function testRest(asked) {
  const part = asked === 'by-commit' ? partOfCommit() : asked;
  if (part !== undefined && !/^[1-4]\/4$/.test(part))
    fail('Which part? npm run test:rest, or npm run test:rest -- 3/4 for its third quarter.');
  const code = await test(restSteps(part), restTools);
  if (code !== 0 && part !== undefined) process.stdout.write(`The same quarter again: npm run test:rest -- ${part}\n`);
  return code;
}

function partOfCommit() {
  const git = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  // A copy without its history has the hash of its sources.
  const hash = git.status === 0 ? git.stdout.trim() : sourceHash();
  const part = `${1 + (Number.parseInt(hash.slice(-4), 16) % 4)}/4`;
  process.stdout.write(`Of what npm test leaves out, ${hash} picks the quarter ${part}.\n`);
  return part;
}

async function runSteps(steps, env = {}) {
  await withLock(install);
  // The runners of tests tidy up at the first SIGINT only, and a terminal's own Ctrl-C reaches them without us.
  passOn = (signal) => {
    if (asked === undefined && !(signal === 'SIGINT' && process.stdin.isTTY === true)) worker?.kill('SIGINT');
  };
  // In a log, what a failed step said at its end is said again at the end of all: hundreds of lines stand between.
  const logged = process.stdout.isTTY !== true;
  const said = [];
  const names = new Set();
  const runs = async (name, [script, ...args]) => {
    const stdio = logged ? ['inherit', 'pipe', 'pipe'] : 'inherit';
    const options = { cwd: root, stdio, show: true, env: { ...process.env, NODE_ENV: 'test', ...env } };
    const { code, output } = await runProgram(nodeBinary(), [path.join(modules, script), ...args], options);
    if (code !== 0 && logged) {
      const text = stripVTControlCharacters(output);
      said.push(`\n── ${name}, its last lines again\n${text.split('\n').slice(-80).join('\n')}`);
      for (const [line] of text.matchAll(/^ *FAIL .*$|^ +\[[^\]\n]+\] › .*$/gm)) names.add(line.trim());
    }
    return code === 0;
  };
  let passed = 0;
  const failed = [];
  for (const { name, run } of steps) {
    process.stdout.write(`\n── ${name}\n`);
    const started = Date.now();
    let ok = true;
    for (const part of run) ok &&= asked === undefined && (await runs(name, part));
    if (asked !== undefined) {
      process.stdout.write('Interrupted.\n');
      return 130;
    }
    process.stdout.write(
      `── ${name}: ${ok ? 'passed' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
    );
    if (ok) passed += 1;
    else failed.push(name);
  }
  process.stdout.write([...said, '', ...names].join('\n'));
  process.stdout.write(
    `\n${failed.length === 0 ? 'All steps passed.' : `Failed: ${failed.join(', ')}.`}\n${passed} passed, ${failed.length} failed\n`,
  );
  return failed.length === 0 ? 0 : 1;
}

// npm runs with our own .bin off its PATH: it would run on the binary that it is about to replace.
async function install() {
  const stamp = path.join(modules, '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stderr.write('Installing what the registry needs (once)…\n');
  const PATH = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(path.delimiter);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_|^NODE_ENV$/i.test(name) ||
        /^npm_config_(registry|cache|userconfig|https?_proxy|proxy|noproxy|cafile)$/i.test(name),
    ),
  );
  const args = 'ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --loglevel=error';
  const { code } = await runProgram('npm', args.split(' '), {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...env, PATH },
    shell: process.platform === 'win32',
  });
  endIfAsked();
  if (code !== 0) fail('npm ci failed: see above. Is the package registry reachable?');
  writeFileSync(stamp, wanted);
}

async function build() {
  const stamp = path.join(root, 'build', '.built');
  const wanted = sourceHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stderr.write('Building…\n');
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] };
  // The verifier, the mirror and the witness are offered by the pages of the log.
  for (const [script, argument] of [
    ['node_modules/@react-router/dev/bin.cjs', 'build'],
    ['scripts/build-verifier.mjs', path.join(root, 'build/client')],
    ['scripts/compress-assets.mjs'],
  ]) {
    const args = [path.join(root, script), argument].filter((one) => one !== undefined);
    const { code, output } = await runProgram(nodeBinary(), args, options);
    endIfAsked();
    if (code !== 0) fail(`The build failed:\n${output}`);
  }
  writeFileSync(stamp, wanted);
}

function sourceHash() {
  const hash = createHash('sha256');
  const visit = (relative) => {
    const full = path.join(root, relative);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) visit(path.join(relative, name));
    else if (!/\.test\.tsx?$/.test(relative)) hash.update(relative).update(readFileSync(full));
  };
  for (const entry of BUILT_FROM) visit(entry);
  return hash.digest('hex');
}

// Two commands at once on a fresh clone: the second waits for the first. A folder is made by one of them only.
async function withLock(work) {
  const lock = path.join(root, '.run-lock');
  const pidFile = path.join(lock, 'pid');
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (let round = 0; ; round += 1) {
    if (round === 10) process.stderr.write('Waiting for another command that installs or builds…\n');
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`The folder ${root} cannot be written.`);
      const owner = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : undefined;
      if ((owner !== undefined && !isAlive(owner)) || Date.now() > deadline)
        rmSync(lock, { recursive: true, force: true });
      else await new Promise((resolve) => setTimeout(resolve, 200));
      endIfAsked();
    }
  }
  writeFileSync(pidFile, String(process.pid));
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function nodeBinary() {
  const own = path.join(modules, '.bin', `node${exe}`);
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) < 24) fail('On this platform the registry needs Node 24 or newer.');
  return process.execPath;
}

// PostgreSQL begins with 58, and the build reads many files at once: below, each ends somewhere with another error.
function insistOnOpenFiles() {
  process.report.excludeNetwork = true;
  const { open_files: { soft } = {} } = process.report.getReport().userLimits ?? {};
  if (Number(soft) < OPEN_FILES_MIN)
    fail(`Only ${soft} files may be open at once here, and the registry needs ${OPEN_FILES_MIN}: ulimit -n 1024`);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
