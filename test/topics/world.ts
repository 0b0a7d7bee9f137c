// A running registry with a stopped clock and signed-in people of each role, and the product's writes on its database.
import path from 'node:path';
import { vi } from 'vitest';
import { readSession, type SignedIn } from '#app/access/session.server.ts';
import { openAuth } from '#app/platform/auth/auth.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import { readAuthSecret } from '#app/platform/process/keys.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { demoExport } from '#commands/demo/export.ts';
import { applicationOf } from '#test/applications.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { cookieOf, PASSWORD } from '#test/people.ts';
import { createTestServicesOver, type TestServices } from '#test/services.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';

/** First in every list. */
export const REGO = 'AAA111';
/** Imported in the course of the test. */
export const IMPORTED_REGO = 'AAA222';
export const APPLICANT = 'applicant@yard.example';
export const DECLINED = 'declined@yard.example';
export const ADDED_ADMIN = 'added@registry.example';
export const COLLEAGUE = 'daniel.okafor@registry.example';
/** A technician who is removed, and whose data are erased. */
export const LEAVER = 'sarah.whitlock@huntercalibrations.example';
const ADMIN = 'mia.kowalski@registry.example';
const TECHNICIAN = 'j.nguyen@northernscales.example';

type Export = Record<string, Record<string, Record<string, unknown>>>;
export type Account = { email: string; cookie: string; password: string };

export type World = {
  registry: StartedRegistry;
  services: Services;
  admin: Account;
  technician: Account;
  /** The person of this session. */
  whoOf: (account: Account) => Promise<SignedIn>;
  /** The former database's export, which the test changes and imports. */
  export: Export;
  import: (collection: string, key: string, more: Record<string, unknown>) => Promise<void>;
  /** A vehicle that the leaver calibrated, and one of its readings. */
  theirs: { rego: string; id: number };
  /** The technician, and the leaver. */
  recorders: string[];
  /** The readings of `REGO`, the latest last. */
  readings: number[];
  recoveryCodes: string[];
  /** The id of a weighbridge, once there is one. */
  reference: string;
  /** The id of a withdrawal of it, once there is one. */
  withdrawal: string;
  /** The id of the newest report that a record is wrong, once there is one. */
  report: string;
  /** A link of the follower of `REGO`, and after that of a list with it. */
  leaving: string;
  stop: () => Promise<void>;
};

export async function startWorld(): Promise<World> {
  const stopped = Date.now();
  // This process needs the stopped clock too, because a session from the server's future is invalid.
  vi.useFakeTimers({ toFake: ['Date'], now: stopped });
  const registry = await startRegistry({
    NODE_OPTIONS: `--import=${path.resolve(import.meta.dirname, '../stopped-clock.mjs')}`,
    STOPPED_AT: String(stopped),
  });
  const { db, address, dataDir } = registry;
  const { pool, db: own } = openDatabase(address);
  const over = { db: own, pool, address, drop: () => own.destroy() };
  const opened: TestServices = await createTestServicesOver(over, { DATA_DIR: dataDir, RATE_LIMITS: 'off' });
  const secret = await readAuthSecret(opened.config);
  const services: Services = {
    ...opened,
    auth: openAuth({ db, config: opened.config, secret }),
    now: () => new Date(stopped),
  };
  const whoOf = async ({ cookie }: Account) => {
    const { signedIn } = await readSession(services, new Headers({ cookie }), 'look');
    if (signedIn === null) throw new Error('nobody is signed in');
    return signedIn;
  };
  const exported: Export = JSON.parse(JSON.stringify(demoExport(todayIn('Australia/Sydney', services.now()))));
  for (const email of [APPLICANT, DECLINED])
    await requestRegistration(services, '192.0.2.1', { input: applicationOf(email), key: undefined });
  // So that the leader does not look at this night by itself, between two comparisons.
  const night = todayIn(services.config.timeZone, services.now());
  await db
    .insertInto('patternLook')
    .values({ night, methodVersion: 0, lookedAt: services.now(), visits: 0, tests: 0, ground: '{}' })
    .execute();
  const theirs = await db
    .selectFrom('calibration')
    .innerJoin('actor', 'actor.id', 'calibration.technicianId')
    .select(['calibration.rego', 'calibration.id'])
    .where('actor.email', '=', LEAVER)
    .orderBy('calibration.rego')
    .orderBy('calibration.id', 'desc')
    .executeTakeFirstOrThrow();
  const recorders = await db.selectFrom('person').select('id').where('email', 'in', [TECHNICIAN, LEAVER]).execute();
  return {
    registry,
    services,
    admin: await signInAs(registry, ADMIN),
    technician: await signInAs(registry, TECHNICIAN),
    whoOf,
    export: exported,
    async import(collection, key, more) {
      const record = { ...exported[collection]?.[key], ...more };
      exported[collection] = { ...exported[collection], [key]: record };
      await registry.importMore({ [collection]: { [key]: record } });
    },
    theirs,
    recorders: recorders.map(({ id }) => id),
    readings: [],
    recoveryCodes: [],
    reference: '',
    withdrawal: '',
    report: '',
    leaving: '',
    async stop() {
      vi.useRealTimers();
      await opened.live.close();
      await own.destroy();
      await registry.stop();
    },
  };
}

async function signInAs(registry: StartedRegistry, email: string): Promise<Account> {
  const hash = await hashPassword(PASSWORD);
  await registry.db.transaction().execute(async (tx) => {
    const { id: personId } = await tx
      .selectFrom('person')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await setPassword(tx, { personId, name: email, email, hash, mustChange: false });
  });
  const answer = await fetch(`${registry.url}/login`, {
    method: 'POST',
    headers: { origin: registry.url },
    body: new URLSearchParams({ email, password: PASSWORD }),
    redirect: 'manual',
  });
  const cookie = cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
  return { email, cookie, password: PASSWORD };
}
