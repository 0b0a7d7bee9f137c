// What a visitor finds in the demo: labels that lead to the demo itself, visits in each state, weighbridges and a
// withdrawal.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { VISIT_STATES } from '#app/visits/visit.ts';
import { checksOf } from '#app/visits/visit-queries.server.ts';
import { heldBackBy } from '#app/visits/visit-checks.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endWithProcess, freePort } from '#test/cluster.ts';
import { cookieOf } from '#test/people.ts';
import { ready } from '#test/start-registry.ts';
import { demoFleet, FLEET_TECHNICIANS } from '#commands/demo/fleet.ts';
import { DEMO_SIGN_INS } from './people.ts';
import { openRegistryAsItIs } from '../open-registry.ts';

const WITHIN_MS = 120_000;
let folder: string;
let kept: () => void;
let demo: ChildProcess | undefined;
let first: { url: string; said: () => string };
// Its first start records a year, which takes a while: once for all.
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
  await chmod(folder, 0o755);
  kept = endWithProcess(path.join(folder, 'demo'));
  // What another version of the demo has left.
  await mkdir(path.join(folder, 'demo'));
  await writeFile(path.join(folder, 'demo/older'), 'older');
  first = await start();
}, WITHIN_MS);
afterAll(async () => {
  await end();
  kept();
  await rm(folder, { recursive: true, force: true });
});

async function end(): Promise<void> {
  if (demo === undefined || demo.exitCode !== null || demo.signalCode !== null) return;
  const ended = new Promise((resolve) => demo?.once('exit', resolve));
  demo.kill('SIGTERM');
  await ended;
}

/** Starts the demo as a visitor does. Returns its address, and what it has said so far. */
async function start(): Promise<{ url: string; said: () => string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  demo = spawn(process.execPath, [path.join(import.meta.dirname, 'demo.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PUBLIC_URL: '',
      LOG_LEVEL: 'warn',
      DATA_DIR: folder,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  demo.stdout?.on('data', (text) => (said += String(text)));
  await ready(url, demo);
  return { url, said: () => said };
}

test('the demo has labels, and says where they lead', async () => {
  const { url, said } = first;
  const [{ email = '', password = '' } = {}] = DEMO_SIGN_INS;
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ email, password }),
  });
  const headers = { cookie: cookieOf(answer.headers.getSetCookie()) };
  const label = await fetch(`${url}/vehicles/label/XV04KL.svg`, { headers });
  expect([label.status, label.headers.get('content-type')]).toEqual([200, expect.stringContaining('image/svg+xml')]);
  await expect.poll(said).toContain(`The labels for trucks lead to ${url}, which only this machine can open.\n`);
  // It is no registry whose log wants a name.
  expect(said()).not.toContain('trial');
});

test('a folder of another version is set aside, and said to be', async () => {
  const [aside = ''] = (await readdir(folder)).filter((name) => name.startsWith('demo-until-'));
  expect(await readFile(path.join(folder, aside, 'older'), 'utf8')).toBe('older');
  expect(first.said()).toContain(`is set aside in ${path.join(folder, aside)}. A new one is made.\n`);
});

test('one that runs is never set aside', async () => {
  const marker = path.join(folder, 'demo/demo-is-whole');
  const whole = await readFile(marker, 'utf8');
  await writeFile(marker, 'older');
  const running = demo;
  await expect(start()).rejects.toThrow('the server ended with 1');
  demo = running;
  await writeFile(marker, whole);
  expect(await readdir(folder)).toHaveLength(2);
});

test(
  'the demo has visits in each state, twelve weighbridges, one withdrawal and one finding of each pattern, once, and all as logged',
  async () => {
    const found = await whatIsThere();
    expect(new Set(found.visits.map(({ state }) => state))).toEqual(new Set(VISIT_STATES.map(({ state }) => state)));
    const fleet = new Set(demoFleet().trucks.map(({ rego }) => rego));
    const held = found.visits.flatMap(({ rego, state, checks }) =>
      fleet.has(rego)
        ? []
        : state === 'waits' || state === 'accepted' || state === 'partial'
          ? [`${rego} ${state}: ${heldBackBy(checksOf(checks)).join(', ')}`]
          : [],
    );
    expect(held.toSorted()).toEqual([
      '266RF3 waits: reference',
      '318VTD waits: reference',
      '472XKM waits: reference',
      'BJK709 waits: plausible',
      'CH83LM waits: prompt',
      'XV19RS partial: complete',
      'XV46GP accepted: agrees',
      'XV77WT waits: agrees',
    ]);
    expect([found.references, found.uncovered]).toEqual([12, 1]);
    expect(found.withdrawals).toEqual([{ confirmed: true, applied: true, isAlone: false }]);
    expect(found.visits.filter(({ rego, state }) => fleet.has(rego) && state === 'waits')).toEqual([]);
    expect(found.patterns).toEqual(
      FLEET_TECHNICIANS.flatMap(({ name, plants }) => (plants === '' ? [] : [`${plants}: ${name}`])).toSorted(),
    );
    await end();
    await start();
    expect(await whatIsThere()).toEqual(found);
    await end();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.join(import.meta.dirname, '../verify-db.ts')],
      {
        env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: '', DATA_DIR: path.join(folder, 'demo') },
      },
    );
    expect(stdout).toContain('records verified, 0 findings.');
  },
  WITHIN_MS,
);

async function whatIsThere() {
  const { db, close } = await openRegistryAsItIs({
    ...process.env,
    DATABASE_URL: '',
    DATA_DIR: path.join(folder, 'demo'),
  });
  try {
    const visits = await db
      .selectFrom('visit')
      .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
      .select(['rego', 'state', 'checks'])
      .orderBy('visit.openedAt')
      .orderBy('visit.id')
      .execute();
    const references = await db.selectFrom('reference').select(['id']).execute();
    const covered = await db
      .selectFrom('referenceVerification')
      .select('referenceId')
      .distinct()
      .where('toOn', '>', sql<string>`current_date`)
      .execute();
    const withdrawals = await db.selectFrom('referenceWithdrawal').selectAll().execute();
    const findings = await db
      .selectFrom('patternFinding')
      .innerJoin('technician', 'technician.personId', 'patternFinding.personId')
      .select(['pattern', 'repName'])
      .execute();
    return {
      visits,
      patterns: findings.map(({ pattern, repName }) => `${pattern}: ${repName}`).toSorted(),
      references: references.length,
      uncovered: references.length - covered.length,
      withdrawals: withdrawals.map(({ confirmedAt, appliedAt, isAlone }) => ({
        confirmed: confirmedAt !== null,
        applied: appliedAt !== null,
        isAlone,
      })),
    };
  } finally {
    await close();
  }
}
