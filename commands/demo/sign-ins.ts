// The demo's accounts: two admins, since some decisions want a second one, and a technician. Their passwords are
// printed and known to everybody: the demo is never a real registry.
import { DANIEL, MIA, NGUYEN } from './people.ts';

export const DEMO_SIGN_INS = [
  { role: 'an admin', page: '/login', email: MIA, password: 'gravel weighs more wet' },
  { role: 'a second admin', page: '/login', email: DANIEL, password: 'a second pair of eyes' },
  { role: 'a technician', page: '/tech-login', email: NGUYEN, password: 'two axles and a trailer' },
] as const;
