// The demo's accounts: two admins, since some decisions want a second one, and a technician. Their passwords are printed and
// known to everybody: the demo is never a real registry.
import { findPasswordHash, findPersonByEmail } from '#app/access/queries.server.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';

export const DEMO_SIGN_INS = [
  { role: 'an admin', page: '/login', email: 'mia.kowalski@registry.example', password: 'gravel weighs more wet' },
  {
    role: 'a second admin',
    page: '/login',
    email: 'daniel.okafor@registry.example',
    password: 'a second pair of eyes',
  },
  {
    role: 'a technician',
    page: '/tech-login',
    email: 'j.nguyen@northernscales.example',
    password: 'two axles and a trailer',
  },
] as const;

/** Gives these people of the demo's records their password, unless they have one. */
export async function addSignIns(db: Db): Promise<void> {
  for (const { email, password } of DEMO_SIGN_INS) {
    const hash = await hashPassword(password);
    await db.transaction().execute(async (tx) => {
      const person = await findPersonByEmail(tx, email);
      if (person === undefined || (await findPasswordHash(tx, person.personId)) !== undefined) return;
      const { personId, standing } = person;
      await setPassword(tx, { personId, name: standing.name, email, hash, mustChange: false });
    });
  }
}
