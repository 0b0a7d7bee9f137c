// Random runs of the outbox against a running registry; the first that goes wrong, as short as it could be made.
import fc from 'fast-check';
import sharp from 'sharp';
import { startFaultProxy } from '../fault-proxy.ts';
import { enterLeaves } from '../leaves.ts';
import { actingAs, addPerson, PASSWORD, cookieOf, type Person } from '../people.ts';
import { startRegistry, type StartedRegistry } from '../start-registry.ts';
import { openNodePhone } from './node-phone.ts';
import { programs } from './program.ts';
import { runProgram, type Ground, type Truck } from './run.ts';
import type { OpenPhone, Planted } from './test-phone.ts';

const TRUCKS_AT_ONCE = 200;
const SHRINK_FOR_MS = 60_000;

export type OutboxGround = Ground & {
  registry: StartedRegistry;
  /** The technician's session. */
  cookie: string;
  trucks: () => Promise<[Truck, Truck]>;
  stop: () => Promise<void>;
};

export async function openOutboxGround(openPhone: OpenPhone = openNodePhone): Promise<OutboxGround> {
  const registry = await startRegistry();
  const url = new URL(registry.url);
  const proxy = await startFaultProxy({ port: Number(url.port) });
  const technician = await addPerson(registry.db, 'technician', 'outbox@scales.example', { name: 'Jo Nguyen' });
  const admin = await addPerson(registry.db, 'admin', 'outbox@registry.example', { name: 'Mia' });
  const cookie = await signIn(registry.url, technician);
  let isIn = true;
  const ready: Truck[] = [];
  let made = 0;
  return {
    registry,
    cookie,
    openPhone,
    // The registry takes the proxy's address for its own.
    line: { proxy, url: `http://127.0.0.1:${proxy.port}`, cookie: () => (isIn ? cookie : '') },
    technician: actingAs(technician),
    admin: actingAs(admin),
    signIn: (next) => void (isIn = next),
    async photo(text) {
      const [red = 0, green = 0, blue = 0, ...more] = Buffer.from(text.replaceAll('-', ''), 'hex');
      const bytes = await sharp({
        create: {
          width: 40 + (more[0] ?? 0),
          height: 40 + (more[1] ?? 0),
          channels: 3,
          background: { r: red, g: green, b: blue },
        },
      })
        .jpeg()
        .toBuffer();
      return new Uint8Array(bytes);
    },
    async restart() {
      await registry.killServer();
      await registry.startServer();
    },
    async trucks() {
      if (ready.length < 2) {
        const values = Array.from({ length: TRUCKS_AT_ONCE }, () => {
          const rego = `OUT${(made += 1)}`;
          return { rego, vin: `VIN${rego}`, axleGroups: 'STEER DRIVE', calibrationValidated: true };
        });
        ready.push(
          ...(await registry.db.insertInto('vehicle').values(values).returning(['id', 'rego', 'vin']).execute()),
        );
        await enterLeaves(registry.db);
      }
      const [one, other] = ready.splice(0, 2);
      if (one === undefined || other === undefined) throw new Error('no trucks');
      return [one, other];
    },
    async stop() {
      await proxy.close();
      await registry.stop();
    },
  };
}

async function signIn(url: string, { email }: Person): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ email, password: PASSWORD }),
    redirect: 'manual',
  });
  return cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
}

/** `report`: undefined if nothing went wrong. */
export async function exploreOutbox(
  ground: OutboxGround,
  { seed, runs, planted, onRun }: { seed: number; runs: number; planted?: Planted; onRun?: () => void },
): Promise<{ ran: number; report: string | undefined }> {
  let report: string | undefined;
  let ran = 0;
  let shrinkUntil = Infinity;
  const property = fc.asyncProperty(programs, async (program) => {
    if (report !== undefined && Date.now() > shrinkUntil) return true;
    if (report === undefined) ran += 1;
    const wrong = await runProgram(ground, await ground.trucks(), program, planted).catch(
      (error: unknown) => `it threw: ${error instanceof Error ? error.stack : String(error)}`,
    );
    if (wrong === undefined) {
      if (report === undefined) onRun?.();
      return true;
    }
    if (report === undefined) shrinkUntil = Date.now() + SHRINK_FOR_MS;
    report = `${wrong}\nIts program: ${JSON.stringify(program)}`;
    return false;
  });
  await fc.check(property, { seed, numRuns: runs });
  return { ran, report };
}
