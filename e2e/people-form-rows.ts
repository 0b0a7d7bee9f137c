// The table of forms: those about admins, technicians and applications.
import { randomUUID } from 'node:crypto';
import { FAILURES } from '#app/forms/failures.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { at, type Row } from './form-row.ts';
import { newPerson } from './people.ts';

/** A strong password. */
export const WORDS = 'four green weighbridges here';

const key = (email: string) => email.replaceAll('.', ',');
// The tests may run more than once on one registry.
async function newApplication(db: StartedRegistry['db']): Promise<string> {
  const email = `ask-${randomUUID()}@site.example`;
  await db.insertInto('application').values({ email }).execute();
  return key(email);
}

export const PEOPLE_ROWS: readonly Row[] = [
  {
    route: 'admins/routes/new.tsx',
    failure: FAILURES.addAdmin,
    open: at('/admins/new'),
    typed: { Email: 'new@site.example', Password: WORDS, Name: 'New' },
    button: 'Add Admin',
  },
  {
    route: 'admins/routes/update.tsx',
    failure: FAILURES.profile,
    open: async ({ registry }) => `/admins/update/${key((await newPerson(registry, 'admin')).email)}`,
    typed: { Name: 'Other', Notes: 'Typed.' },
    button: 'Update',
  },
  {
    route: 'admins/routes/delete.tsx',
    failure: FAILURES.deletion,
    open: async ({ registry }) => `/admins/delete/${key((await newPerson(registry, 'admin')).email)}`,
    button: 'Delete',
  },
  {
    route: 'admins/routes/erase.tsx',
    failure: FAILURES.erasure,
    async open({ registry }) {
      const { recordId, email } = await newPerson(registry, 'admin');
      await registry.db.updateTable('admin').set({ deletedAt: new Date() }).where('id', '=', recordId).execute();
      return `/admins/erase/${key(email)}`;
    },
    typed: { Reason: 'They asked.' },
    button: 'Erase',
  },
  {
    route: 'admins/routes/removals.tsx',
    failure: FAILURES.deletion,
    async open({ registry: { db } }) {
      const [other, removed] = [await newPerson({ db }, 'admin'), await newPerson({ db }, 'admin')];
      const { id } = await db
        .selectFrom('actor')
        .select('id')
        .where('personId', '=', other.personId)
        .executeTakeFirstOrThrow();
      await db.updateTable('admin').set({ deletedAt: new Date() }).where('id', '=', removed.recordId).execute();
      // One button alone on the page.
      await db
        .updateTable('adminRemoval')
        .set({ outcome: 'stood', endedAt: new Date() })
        .where('outcome', 'is', null)
        .execute();
      await db
        .insertInto('adminRemoval')
        .values({ adminId: removed.recordId, proposedBy: id, proposedAt: new Date() })
        .execute();
      return '/admins/removals';
    },
    button: 'Confirm the removal',
  },
  {
    route: 'technicians/routes/suspend.tsx',
    failure: FAILURES.suspension,
    open: async ({ registry }) => `/technicians/suspend/${key((await newPerson(registry, 'technician')).email)}`,
    typed: { Reason: 'Something to look at.' },
    button: 'Suspend',
  },
  {
    route: 'technicians/routes/reinstate.tsx',
    failure: FAILURES.reinstatement,
    async open({ registry }) {
      const { db } = registry;
      const { recordId, email } = await newPerson(registry, 'technician');
      const { id: by } = await db.selectFrom('actor').select('id').limit(1).executeTakeFirstOrThrow();
      const from = { fromOn: '2026-01-05', decidedBy: by, decidedAt: new Date() };
      await db
        .insertInto('suspension')
        .values({ technicianId: recordId, reason: 'Why.', ...from })
        .execute();
      return `/technicians/reinstate/${key(email)}`;
    },
    typed: { 'In good standing from': '2026-01-06' },
    button: 'Lift the suspension',
  },
  {
    route: 'technicians/routes/licence.tsx',
    failure: FAILURES.licence,
    open: async ({ registry }) => `/technicians/licence/${key((await newPerson(registry, 'technician')).email)}`,
    typed: { 'Trade licence valid until': '2030-01-31' },
    button: 'Save',
  },
  {
    route: 'technicians/routes/delete.tsx',
    failure: FAILURES.deletion,
    open: async ({ registry }) => `/technicians/delete/${key((await newPerson(registry, 'technician')).email)}`,
    button: 'Delete',
  },
  {
    route: 'technicians/routes/erase.tsx',
    failure: FAILURES.erasure,
    async open({ registry }) {
      const { recordId, email } = await newPerson(registry, 'technician');
      await registry.db.updateTable('technician').set({ deletedAt: new Date() }).where('id', '=', recordId).execute();
      return `/technicians/erase/${key(email)}`;
    },
    typed: { Reason: 'They asked.' },
    button: 'Erase',
  },
  {
    route: 'applications/routes/tech-register.tsx',
    failure: FAILURES.techRegister,
    open: at('/tech-register'),
    typed: { 'Company name': 'Northside', Email: 'office@site.example' },
    button: 'Register',
    isPublic: true,
  },
  {
    route: 'applications/routes/view.tsx',
    failure: FAILURES.approve,
    open: async ({ registry: { db } }) => `/applications/view/${await newApplication(db)}?approve`,
    typed: { Password: WORDS },
    button: 'Register Technician',
  },
  {
    route: 'applications/routes/delete.tsx',
    failure: FAILURES.deletion,
    open: async ({ registry: { db } }) => `/applications/delete/${await newApplication(db)}`,
    typed: { 'Reason (optional)': 'No such firm.' },
    button: 'Delete',
  },
];
