// The forms by which people sign in, and look after their own account.
import { FAILURES } from '#app/forms/failures.ts';
import { makeResetToken } from '#app/sign-in/reset-password.server.ts';
import { PASSWORD, type Person } from '#test/people.ts';
import { newLinkToken } from '#app/access/one-time-link.server.ts';
import { newEmail, newPerson, signIn } from './ground.ts';
import { BUTTON, LAST_COUNTS, NEW, NO_FILES, NO_KEY, OWN, WORDS, type Row } from './row.ts';

const signInRow = (route: string, role: Person['role']): Row => ({
  route,
  inBrowser: { button: 'Submit', failure: FAILURES.signIn },
  isPublic: true,
  async open({ db }) {
    const { email } = await newPerson(db, role);
    return { address: route.includes('tech') ? '/tech-login' : '/login', fields: { email, password: PASSWORD } };
  },
  done: /^303 \/dashboard signed-in /,
  refused: { fields: { password: 'what was typed' }, says: /^401 .*Email and password does not match\./ },
  stale: NEW,
  gone: NEW,
  storage: NO_FILES,
  twice: { not: 'each begins a session' },
});

export const ACCOUNT_ROWS: readonly Row[] = [
  signInRow('sign-in/routes/login.tsx', 'admin'),
  signInRow('sign-in/routes/tech-login.tsx', 'technician'),
  {
    route: 'sign-in/routes/second-factor.tsx',
    inBrowser: { button: 'Submit', failure: FAILURES.signIn },
    isPublic: true,
    open: async () => ({ address: '/second-factor', fields: { code: '123456' } }),
    done: { not: 'it needs an app: app/sign-in/second-factor' },
    refused: { fields: {}, says: /^401 .*This code does not match\./ },
    stale: NEW,
    gone: NEW,
    storage: NO_FILES,
    twice: { not: 'a code counts once' },
  },
  {
    route: 'sign-in/routes/reset.tsx',
    inBrowser: { button: 'Reset Password', failure: FAILURES.reset },
    isPublic: true,
    open: async () => ({ address: '/reset', fields: { email: newEmail() } }),
    done: /^303 \/reset\?sent /,
    refused: { fields: { email: 'typed' }, says: /^400 .*Enter an email address such as/ },
    stale: NEW,
    gone: NEW,
    storage: NO_FILES,
    twice: { not: 'each sends a link, and the newest works' },
  },
  {
    route: 'sign-in/routes/reset-link.tsx',
    inBrowser: { button: 'Set password', failure: FAILURES.reset },
    isPublic: true,
    async open({ db }) {
      const { email } = await newPerson(db, 'admin');
      const make = () =>
        db.transaction().execute((tx) => makeResetToken(tx, email, { now: new Date(), lifeMs: 600_000 }));
      const address = `/reset/${(await make())?.token ?? ''}`;
      return { address, fields: { password: WORDS, repeat: WORDS }, gone: make };
    },
    done: /^303 \/login password-set /,
    refused: { fields: { repeat: 'other' }, says: /^400 .*The two passwords differ\./ },
    stale: NEW,
    gone: /^410 .*This link no longer works/,
    storage: NO_FILES,
    twice: { not: 'a link works once' },
  },
  {
    route: 'sign-in/routes/logout.tsx',
    inBrowser: { button: 'Logout', failure: FAILURES.logout },
    isPublic: true,
    open: async (registry) => {
      const cookie = await signIn(registry, await newPerson(registry.db, 'admin'));
      return { address: '/logout', fields: {}, cookie };
    },
    done: /^303 \/login signed-out /,
    refused: BUTTON,
    stale: OWN,
    gone: OWN,
    storage: NO_FILES,
    twice: NO_KEY,
  },
  {
    route: 'sign-in/routes/new-password.tsx',
    inBrowser: { button: 'Change password', failure: FAILURES.password },
    open: async (registry) => {
      const cookie = await signIn(registry, await newPerson(registry.db, 'admin'));
      const fields = { current_password: PASSWORD, password: WORDS, repeat: WORDS };
      return { address: '/new-password', fields, cookie };
    },
    done: /^303 \S+ password-changed /,
    refused: { fields: { current_password: 'typed' }, says: /^400 .*This is not your current password\./ },
    stale: OWN,
    gone: OWN,
    storage: NO_FILES,
    twice: { not: 'the session ended with the first' },
  },
  {
    route: 'sign-in/routes/set-up-second-factor.tsx',
    inBrowser: { button: 'Begin', failure: FAILURES.secondFactor },
    open: async () => ({ address: '/settings/second-factor', fields: { intent: 'begin', password: PASSWORD } }),
    done: /^303 \/settings\/second-factor /,
    refused: { fields: { password: 'typed' }, says: /^400 .*This is not your current password\./ },
    stale: OWN,
    gone: OWN,
    storage: NO_FILES,
    twice: NO_KEY,
  },
  {
    route: 'sign-in/routes/settings.tsx',
    inBrowser: { button: 'End all other sessions', failure: FAILURES.settings },
    open: async (registry) => {
      const person = await newPerson(registry.db, 'admin');
      // The page offers to end other sessions where there are any.
      await signIn(registry, person);
      return { address: '/settings', fields: { intent: 'end-others' }, cookie: await signIn(registry, person) };
    },
    done: /^303 \/settings sessions-ended /,
    refused: BUTTON,
    stale: OWN,
    gone: OWN,
    storage: NO_FILES,
    twice: NO_KEY,
  },
  {
    route: 'digest/routes/tell.tsx',
    inBrowser: { button: 'Save', failure: FAILURES.settings },
    open: async () => ({ address: '/settings/tell', fields: { visits: 'six', confirmations: 'once' } }),
    done: /^303 \/settings told-chosen /,
    refused: { fields: { confirmations: 'never' }, says: /^400 .*This cannot be turned off/ },
    stale: LAST_COUNTS,
    gone: OWN,
    storage: NO_FILES,
    twice: NO_KEY,
  },
  {
    route: 'digest/routes/stop.tsx',
    inBrowser: { button: 'Stop emails', failure: FAILURES.unfollow },
    isPublic: true,
    async open({ db }) {
      const { token, tokenHash } = newLinkToken();
      const { personId } = await newPerson(db, 'technician');
      await db.insertInto('weeklyMailLink').values({ tokenHash, personId, madeAt: new Date() }).execute();
      const gone = () => db.deleteFrom('weeklyMailLink').where('personId', '=', personId).execute();
      return { address: `/follow/mine/${token}`, fields: {}, gone };
    },
    done: /^200 .*You have unsubscribed/,
    refused: BUTTON,
    stale: LAST_COUNTS,
    // What they asked for is so.
    gone: /^200 .*You have unsubscribed/,
    storage: NO_FILES,
    twice: NO_KEY,
  },
  {
    route: 'people/routes/update-profile.tsx',
    inBrowser: { button: 'Update', failure: FAILURES.profile },
    async open(registry) {
      const person = await newPerson(registry.db, 'technician');
      const stale = () =>
        registry.db
          .updateTable('technician')
          .set({ version: 7, address: 'Moved' })
          .where('id', '=', person.recordId)
          .execute();
      const fields = { name: 'Mia K.', phone: '', address: '', dob: '', gender: '', notes: 'typed with care' };
      return { address: '/profile/update', fields, cookie: await signIn(registry, person), stale };
    },
    done: /^303 \/my-profile profile-updated /,
    refused: { fields: { name: ' ' }, says: /^400 .*Enter a name\..*typed with care/ },
    stale: /^409 .*changed-meanwhile\..*typed with care/,
    gone: OWN,
    storage: { field: 'image_file', name: 'me.png' },
    twice: true,
  },
];
