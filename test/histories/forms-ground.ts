// Histories over HTTP: eight people who are signed in to a running registry, and send its forms.
import { currentPolicy } from '#app/policy/queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { addPerson, cookieOf, PASSWORD } from '#test/people.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import type { Ground } from './explore.ts';
import { performByForms } from './perform-by-forms.ts';
import { nameOf } from './perform.ts';
import { ADMINS_ON_PAGES, CLIENTS, programsForPages } from './program.ts';
import type { ClientPerson } from './world.ts';

/** Signs eight people in at `registry`. */
export async function onForms({ url, db }: StartedRegistry): Promise<Ground> {
  const cookies = new Map<string, string>();
  const clients: ClientPerson[] = [];
  for (let nth = 0; nth < CLIENTS; nth += 1) {
    const role = nth < ADMINS_ON_PAGES ? 'admin' : 'technician';
    const email = `c${nth}.forms@histories.example`;
    const client = { email, name: nameOf(email), role } as const;
    const { personId, recordId } = await addPerson(db, role, email, { name: client.name });
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { origin: url },
      body: new URLSearchParams({ email, password: PASSWORD }),
      redirect: 'manual',
    });
    if (answer.status !== 303) throw new Error(`${email} was not signed in: ${answer.status}`);
    cookies.set(email, cookieOf(answer.headers.getSetCookie()));
    const session = { sessionId: '', mustChangePassword: false, hasSecondFactor: false };
    clients.push({ client, who: { ...client, personId, recordId, ...session } });
  }
  const perform = performByForms({ url, db, cookieOf: ({ email }: SignedIn) => cookies.get(email) ?? '' });
  const { version } = await currentPolicy(db);
  const people = { admins: [], applications: [], technicians: [], kept: {} };
  return {
    db,
    programs: programsForPages,
    castFor: async () => ({ clients, admins: new Map(), people, version, reference: null, isAlone: false }),
    perform: () => perform,
  };
}
