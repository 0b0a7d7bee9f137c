// The whole server with a proxy between it and its database, and a person who uses it without a browser.
import { randomUUID } from 'node:crypto';
import { everySlipOf } from '#app/recording/entry-slips.ts';
import { addPerson, cookieOf, PASSWORD } from '#test/people.ts';
import { startFaultProxy, type FaultProxy } from '#test/fault-proxy.ts';
import { READING_PLACES } from '#test/visits.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';

export type FaultyRegistry = StartedRegistry & { database: FaultProxy };

/** Starts one; `env` are further settings of the server. */
export async function startFaultyRegistry(env: NodeJS.ProcessEnv = {}): Promise<FaultyRegistry> {
  let database: FaultProxy | undefined;
  const registry = await startRegistry(async ({ address }) => {
    database = await startFaultProxy({ path: `${address.host}/.s.PGSQL.${address.port}` });
    const { user, password, database: name } = address;
    return {
      DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${database.port}/${name}`,
      LOG_LEVEL: 'silent',
      ...env,
    };
  });
  const proxy = database;
  if (proxy === undefined) throw new Error('the settings were not asked for');
  return {
    ...registry,
    database: proxy,
    async stop() {
      await proxy.set({ kind: 'none' });
      await registry.stop();
      await proxy.close();
    },
  };
}

/** A signed-in person, who sends forms as a browser without scripts does. */
export type Sender = { cookie: string; send: (path: string, fields: Record<string, string>) => Promise<Response> };

/** A new admin, signed in. */
export async function signedInAdmin(registry: StartedRegistry): Promise<Sender> {
  const { email } = await addPerson(registry.db, 'admin', `admin.${randomUUID().slice(0, 8)}@site.example`);
  const answer = await signIn(registry, email);
  const cookie = cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
  return { cookie, send: (path, fields) => post(registry, path, new URLSearchParams(fields), cookie) };
}

export function signIn(registry: StartedRegistry, email: string): Promise<Response> {
  return post(registry, '/login', new URLSearchParams({ email, password: PASSWORD }));
}

/** Sends a form. Redirects are not followed. */
export function post(registry: StartedRegistry, path: string, body: BodyInit, cookie = ''): Promise<Response> {
  return fetch(`${registry.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: registry.url, ...(cookie === '' ? {} : { cookie }) },
    body,
  });
}

/** A reading as the calibrate form sends it. `nth`: of the sixteen that a visit has; it has each once. */
export function readingOf(rego: string, value: string, nth = 0): Record<string, string> {
  const place = READING_PLACES[nth];
  if (place === undefined) throw new Error('a visit has sixteen readings');
  const { axle, attribute } = place;
  return {
    rego,
    axle: axle === 'TRAILERA' ? 'trailerA' : axle === 'TRAILERB' ? 'trailerB' : axle.toLowerCase(),
    attribute,
    value,
    due_date: '',
    form_key: randomUUID(),
    all_the_same: everySlipOf({ axle, attribute, value }),
  };
}
