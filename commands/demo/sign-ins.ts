// The demo's accounts: two admins, since some decisions want a second one, and a technician. Their passwords are
// printed and known to everybody: the demo is never a real registry.
import { findPersonByEmail } from '#app/access/queries.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { DANIEL, MIA } from './people.ts';
import { NGUYEN } from './stories.ts';

export const DEMO_SIGN_INS = [
  { role: 'an admin', page: '/login', email: MIA, password: 'gravel weighs more wet' },
  { role: 'a second admin', page: '/login', email: DANIEL, password: 'a second pair of eyes' },
  { role: 'a technician', page: '/tech-login', email: NGUYEN, password: 'two axles and a trailer' },
] as const;

export async function addSignIns(db: Db): Promise<void> {
  for (const { email, password } of DEMO_SIGN_INS) {
    const person = await findPersonByEmail(db, email);
    if (person === undefined) throw new Error(`the demo has no ${email}`);
    const account = { personId: person.personId, name: person.standing.name, email, mustChange: false };
    const hash = await hashPassword(password);
    await db.transaction().execute((tx) => setPassword(tx, { ...account, hash }));
  }
}
