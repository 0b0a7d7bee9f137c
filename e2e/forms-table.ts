// The table of forms: where each is, what is typed there, and the words with which it fails.
import { makeResetToken } from '#app/sign-in/reset-password.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { at, type Row, type Scene } from './form-row.ts';
import { linkOf, listLinkOf, weeklyLinkOf } from './follow-links.ts';
import { PEOPLE_ROWS, WORDS } from './people-form-rows.ts';
import { PASSWORD, sessionOf } from './people.ts';
import { PATTERN_FORMS } from './pattern-forms.ts';
import { RECALL_FORMS } from './recall-forms.ts';
import { REFERENCE_FORMS } from './reference-forms.ts';
import { newRego, newVehicle } from './vehicles.ts';

const SIGN_IN = { Email: 'mia@site.example', Password: 'what was typed' };

const ofVehicle =
  (before: string, after: string) =>
  async ({ registry }: Scene) =>
    `${before}${await newVehicle(registry)}${after}`;

export const ROWS: readonly Row[] = [
  {
    route: 'sign-in/routes/login.tsx',
    failure: FAILURES.signIn,
    open: at('/login'),
    typed: SIGN_IN,
    button: 'Submit',
    isPublic: true,
  },
  {
    route: 'sign-in/routes/tech-login.tsx',
    failure: FAILURES.signIn,
    open: at('/tech-login'),
    typed: SIGN_IN,
    button: 'Submit',
    isPublic: true,
  },
  {
    route: 'sign-in/routes/second-factor.tsx',
    failure: FAILURES.signIn,
    open: at('/second-factor'),
    typed: { Code: '123456' },
    button: 'Submit',
    isPublic: true,
  },
  {
    route: 'sign-in/routes/reset.tsx',
    failure: FAILURES.reset,
    open: at('/reset'),
    typed: { Email: 'mia@site.example' },
    button: 'Reset Password',
    isPublic: true,
  },
  {
    route: 'sign-in/routes/reset-link.tsx',
    failure: FAILURES.reset,
    async open({ registry: { db }, admin }) {
      const made = await db.transaction().execute((tx) => makeResetToken(tx, admin.email, new Date(), 600_000));
      return `/reset/${made?.token ?? ''}`;
    },
    typed: { 'New password': WORDS, 'New password again': WORDS },
    button: 'Set password',
    isPublic: true,
  },
  { route: 'sign-in/routes/logout.tsx', failure: FAILURES.logout, open: at('/logout'), button: 'Logout' },
  {
    route: 'sign-in/routes/logout.tsx',
    failure: FAILURES.logout,
    open: at('/dashboard'),
    button: 'Logout',
    where: ' in the sidebar',
  },
  {
    route: 'sign-in/routes/new-password.tsx',
    failure: FAILURES.password,
    open: at('/new-password'),
    typed: { 'Current password': PASSWORD, 'New password': WORDS, 'New password again': WORDS },
    button: 'Change password',
  },
  {
    route: 'sign-in/routes/set-up-second-factor.tsx',
    failure: FAILURES.secondFactor,
    open: at('/settings/second-factor'),
    typed: { 'Current password': PASSWORD },
    button: 'Begin',
  },
  {
    route: 'people/routes/update-profile.tsx',
    failure: FAILURES.profile,
    open: at('/profile/update'),
    typed: { Name: 'Mia K.', Notes: 'Typed.' },
    button: 'Update',
  },
  {
    route: 'sign-in/routes/settings.tsx',
    failure: FAILURES.settings,
    async open({ registry, admin }) {
      await sessionOf(registry, admin);
      return '/settings';
    },
    button: 'End all other sessions',
  },
  {
    route: 'policy/routes/change.tsx',
    failure: FAILURES.policy,
    open: at('/settings/policy'),
    typed: { 'Reason (optional)': 'A trial.' },
    button: 'Save',
  },
  {
    route: 'vehicles/routes/new.tsx',
    failure: FAILURES.addVehicle,
    open: async () => `/vehicles/new/${newRego()}`,
    typed: { Make: 'Volvo', Notes: 'Typed.' },
    button: 'Add Vehicle',
  },
  {
    route: 'vehicles/routes/update.tsx',
    failure: FAILURES.updateVehicle,
    open: ofVehicle('/vehicles/update/', ''),
    typed: { Make: 'Mack', Notes: 'Typed.' },
    button: 'Update Vehicle',
  },
  {
    route: 'vehicles/routes/delete.tsx',
    failure: FAILURES.deletion,
    open: ofVehicle('/vehicles/delete/', ''),
    button: 'Delete',
  },
  {
    route: 'vehicles/routes/removed.tsx',
    failure: FAILURES.restore,
    async open({ registry: { db } }) {
      await db.insertInto('vehicle').values({ rego: newRego(), deletedAt: new Date() }).execute();
      return '/vehicles/removed';
    },
    button: 'Restore',
  },
  {
    route: 'vehicles/routes/validate.tsx',
    failure: FAILURES.validation,
    open: ofVehicle('/vehicles/view/', ''),
    typed: { 'Reason (optional)': 'Seen.' },
    button: 'Validate',
  },
  {
    route: 'vehicle-page/routes/view.tsx',
    failure: FAILURES.calibration,
    open: ofVehicle('/vehicles/view/', '?calibrate'),
    // Its unit follows.
    typed: { '^Value': '5890' },
    before: (page) => page.getByRole('radio', { name: 'Empty Weight' }).check(),
    button: 'Add entry',
  },
  {
    route: 'recording/routes/calibrate.tsx',
    failure: FAILURES.calibration,
    open: ofVehicle('/vehicles/calibrate/', ''),
    typed: { 'Weighbridge (optional)': 'Yatala', 'Notes (optional)': 'Typed.' },
    button: 'Record calibration',
  },
  {
    route: 'recording/routes/correct.tsx',
    failure: FAILURES.correction,
    async open({ registry: { db, url }, page }) {
      const rego = newRego();
      await db.insertInto('vehicle').values({ rego }).execute();
      const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      const body = new URLSearchParams({ rego, axle: 'STEER', attribute: 'Empty Volt', value: '0.84', due_date: '' });
      await fetch(`${url}/vehicles/view/${rego}?calibrate`, {
        method: 'POST',
        headers: { cookie, origin: url },
        body,
        redirect: 'manual',
      });
      const { id } = await db.selectFrom('calibration').select('id').where('rego', '=', rego).executeTakeFirstOrThrow();
      return `/calibrations/correct/${rego}/${id}`;
    },
    typed: { Reason: 'A slip.' },
    button: 'Correct entry',
  },
  ...PEOPLE_ROWS,
  ...REFERENCE_FORMS,
  ...RECALL_FORMS,
  ...PATTERN_FORMS,
  {
    route: 'vehicles/routes/kept.tsx',
    failure: FAILURES.keepList,
    open: () => Promise.resolve('/vehicles/kept?of=verdict%3Doverdue'),
    typed: { Name: 'Overdue ones' },
    button: 'Keep the list',
  },
  {
    route: 'vehicle-import/routes/import.tsx',
    failure: FAILURES.importVehicles,
    open: () => Promise.resolve('/vehicles/import'),
    typed: { 'or its lines': 'rego,make\nIMPORTED1,Volvo' },
    button: 'Preview',
  },
  {
    route: 'check-list/routes/check.tsx',
    failure: FAILURES.check,
    open: () => Promise.resolve('/check'),
    typed: { 'Regos or VINs': 'XV04KL' },
    button: 'Check',
    isPublic: true,
  },
  {
    route: 'following/routes/follow.tsx',
    failure: FAILURES.follow,
    open: ofVehicle('/vehicles/follow/', ''),
    typed: { Email: 'me@site.example' },
    button: 'Send me the link',
    isPublic: true,
  },
  {
    route: 'following/routes/following.tsx',
    failure: FAILURES.follow,
    open: (scene) => linkOf(scene.registry),
    button: 'Follow',
    isPublic: true,
  },
  {
    route: 'technicians/routes/stop-weekly-mail.tsx',
    failure: FAILURES.unfollow,
    open: ({ registry, admin }) => weeklyLinkOf(registry, admin.personId),
    button: 'Stop emails',
    isPublic: true,
  },
  {
    route: 'following/routes/follow-list.tsx',
    failure: FAILURES.follow,
    open: () => Promise.resolve('/check/follow'),
    typed: { Email: 'me@site.example', 'Regos or VINs': 'XV04KL' },
    button: 'Send me the link',
    isPublic: true,
  },
  {
    route: 'following/routes/following.tsx',
    failure: FAILURES.follow,
    open: ({ registry }) => listLinkOf(registry),
    typed: { 'Regos or VINs': 'XV04KL' },
    button: 'Save the list',
    isPublic: true,
  },
  {
    route: 'following/routes/end.tsx',
    failure: FAILURES.unfollow,
    open: async ({ registry }) => `${await listLinkOf(registry)}/end`,
    button: 'Stop emails',
    isPublic: true,
  },
];
