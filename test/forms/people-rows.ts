// The forms about admins, technicians, and who applies to be one.
import { FAILURES } from '#app/forms/failures.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { Person } from '#test/people.ts';
import { decide, keyOf, newApplication, newEmail, newPerson, setRemoved } from './ground.ts';
import { BUTTON, LAST_COUNTS, LONG, NEW, NO_FILES, NO_KEY, TOO_LONG, WORDS, type Row } from './row.ts';

const TODAY = todayIn('Australia/Sydney');

// Suspends them, or lifts that from `liftedFrom` on: what another admin does meanwhile.
async function suspended(db: Db, { recordId }: Person, liftedFrom?: string): Promise<void> {
  const { id: by } = await db.selectFrom('actor').select('id').limit(1).executeTakeFirstOrThrow();
  if (liftedFrom === undefined)
    await db
      .insertInto('suspension')
      .values({ technicianId: recordId, fromOn: TODAY, reason: 'Why.', decidedBy: by, decidedAt: new Date() })
      .execute();
  else
    await db
      .updateTable('suspension')
      .set({ toOn: addDays(liftedFrom, -1), endedBy: by, endedAt: new Date() })
      .where('technicianId', '=', recordId)
      .execute();
  const suspendedFrom = liftedFrom === undefined ? TODAY : null;
  await db.updateTable('technician').set({ suspendedFrom }).where('id', '=', recordId).execute();
}

const removeRow = (role: Person['role'], done: RegExp): Row => ({
  route: `${role}s/routes/delete.tsx`,
  inBrowser: { button: 'Delete', failure: FAILURES.deletion },
  async open({ db }) {
    const person = await newPerson(db, role);
    const gone = () => setRemoved(db, person, new Date());
    return { address: `/${role}s/delete/${keyOf(person.email)}`, fields: {}, gone };
  },
  done,
  refused: BUTTON,
  stale: LAST_COUNTS,
  gone: /^303 \/(admins|technicians) deleted-already /,
  storage: NO_FILES,
  twice: true,
});

const eraseRow = (role: Person['role']): Row => ({
  route: `${role}s/routes/erase.tsx`,
  inBrowser: { button: 'Erase', failure: FAILURES.erasure },
  async open({ db }) {
    const person = await newPerson(db, role);
    await setRemoved(db, person, new Date());
    const gone = () => setRemoved(db, person, null);
    return { address: `/${role}s/erase/${keyOf(person.email)}`, fields: { reason: 'They asked.' }, gone };
  },
  done: /^303 \/(admins|technicians) person-erased /,
  refused: { fields: { reason: ' ' }, says: /^400 .*Enter the reason\./ },
  stale: LAST_COUNTS,
  // Their page says that they are back.
  gone: /^302 \/(admins|technicians)\/view\//,
  storage: NO_FILES,
  twice: NO_KEY,
});

export const PEOPLE_ROWS: readonly Row[] = [
  {
    route: 'admins/routes/new.tsx',
    inBrowser: { button: 'Add Admin', failure: FAILURES.addAdmin },
    open: async () => ({
      address: '/admins/new',
      fields: { email: newEmail(), password: WORDS, name: 'New', notes: 'typed with care' },
    }),
    done: /^303 \/admins admin-added /,
    refused: { fields: { email: 'typed' }, says: /^400 .*Enter an email address such as.*typed with care/ },
    stale: NEW,
    gone: NEW,
    storage: { field: 'image_file', name: 'me.png' },
    twice: true,
  },
  {
    route: 'admins/routes/update.tsx',
    inBrowser: { button: 'Update', failure: FAILURES.profile },
    async open({ db }) {
      const person = await newPerson(db, 'admin');
      const { recordId, email } = person;
      const stale = () =>
        db.updateTable('admin').set({ version: 7, address: 'Moved' }).where('id', '=', recordId).execute();
      const gone = () => setRemoved(db, person, new Date());
      const fields = { name: 'Other', phone: '', address: '', notes: 'typed with care' };
      return { address: `/admins/update/${keyOf(email)}`, fields, stale, gone };
    },
    done: /^303 \/admins\/view\/\S+ admin-updated /,
    refused: { fields: { name: LONG }, says: /^400 .*Use at most 200 characters\..*typed with care/ },
    stale: /^409 .*changed-meanwhile\..*typed with care/,
    // Their page says when they were removed.
    gone: /^302 \/admins\/view\//,
    storage: { field: 'image_file', name: 'me.png' },
    twice: true,
  },
  removeRow('admin', /^303 \/admins record-deleted /),
  eraseRow('admin'),
  {
    route: 'admins/routes/removals.tsx',
    inBrowser: { button: 'Confirm the removal', failure: FAILURES.deletion },
    async open({ db }) {
      const [other, removed] = [await newPerson(db, 'admin'), await newPerson(db, 'admin')];
      await setRemoved(db, removed, new Date());
      const { id: by } = await db
        .selectFrom('actor')
        .select('id')
        .where('personId', '=', other.personId)
        .executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('adminRemoval')
        .values({ adminId: removed.recordId, proposedBy: by, proposedAt: new Date() })
        .returning('id')
        .executeTakeFirstOrThrow();
      const gone = () =>
        db.updateTable('adminRemoval').set({ outcome: 'stood', endedAt: new Date() }).where('id', '=', id).execute();
      return { address: '/admins/removals', fields: { id, decision: 'confirm' }, gone };
    },
    done: /^303 \/admins removal-confirmed /,
    refused: BUTTON,
    stale: LAST_COUNTS,
    gone: /^409 .*removal-gone\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'technicians/routes/suspend.tsx',
    inBrowser: { button: 'Suspend', failure: FAILURES.suspension },
    async open({ db }) {
      const person = await newPerson(db, 'technician');
      const fields = { from: TODAY, reason: 'Something to look at.' };
      const address = `/technicians/suspend/${keyOf(person.email)}`;
      return { address, fields, stale: () => suspended(db, person), gone: () => setRemoved(db, person, new Date()) };
    },
    done: /^303 \/technicians\/view\/\S+ technician-suspended /,
    refused: { fields: { reason: ' ' }, says: /^400 .*Enter the reason\./ },
    // Their page says so.
    stale: /^302 \/technicians\/view\//,
    gone: /^302 \/technicians\/view\//,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'technicians/routes/reinstate.tsx',
    inBrowser: { button: 'Lift the suspension', failure: FAILURES.reinstatement },
    async open({ db }) {
      const person = await newPerson(db, 'technician');
      await suspended(db, person);
      const gone = () => setRemoved(db, person, new Date());
      const stale = () => suspended(db, person, TODAY);
      return { address: `/technicians/reinstate/${keyOf(person.email)}`, fields: { from: TODAY }, stale, gone };
    },
    done: /^303 \/technicians\/view\/\S+ suspension-lifted /,
    refused: { fields: { from: '2020-01-01' }, says: /^400 .*The suspension begins on/ },
    stale: /^302 \/technicians\/view\//,
    gone: /^302 \/technicians\/view\//,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'technicians/routes/licence.tsx',
    inBrowser: { button: 'Save', failure: FAILURES.licence },
    async open({ db }) {
      const person = await newPerson(db, 'technician');
      const gone = () => setRemoved(db, person, new Date());
      return { address: `/technicians/licence/${keyOf(person.email)}`, fields: { ends_on: '2030-01-31' }, gone };
    },
    done: /^303 \/technicians\/view\/\S+ licence-recorded /,
    refused: { fields: { ends_on: 'soon' }, says: /^400 .*Enter a date such as 14 May 2027\./ },
    stale: LAST_COUNTS,
    gone: /^302 \/technicians\/view\//,
    storage: NO_FILES,
    twice: true,
  },
  removeRow('technician', /^303 \/technicians record-deleted /),
  eraseRow('technician'),
  {
    route: 'applications/routes/tech-register.tsx',
    inBrowser: { button: 'Register', failure: FAILURES.techRegister },
    isPublic: true,
    open: async () => ({
      address: '/tech-register',
      fields: { company_name: 'Northside', abn: '51 824 753 556', trade_licence_num: 'SL-1', email: newEmail() },
    }),
    done: /^303 \/ registration-requested /,
    refused: { fields: { company_name: '' }, says: /^400 .*Enter the company name\..*SL-1/ },
    stale: NEW,
    gone: NEW,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'applications/routes/view.tsx',
    inBrowser: { button: 'Register Technician', failure: FAILURES.approve },
    async open({ db }) {
      const email = await newApplication(db);
      const fields = { by: 'admin', password: WORDS };
      return { address: `/applications/view/${keyOf(email)}?approve`, fields, gone: decide(db, email) };
    },
    done: /^303 \/applications technician-added /,
    refused: { fields: { password: '' }, says: /^400 .*Password is mandatory field!/ },
    stale: LAST_COUNTS,
    gone: /^409 .*deleted-already\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'applications/routes/delete.tsx',
    inBrowser: { button: 'Delete', failure: FAILURES.deletion },
    async open({ db }) {
      const email = await newApplication(db);
      const fields = { reason: 'No such firm.' };
      return { address: `/applications/delete/${keyOf(email)}`, fields, gone: decide(db, email) };
    },
    done: /^303 \/applications record-deleted /,
    refused: { fields: { reason: LONG }, says: TOO_LONG },
    stale: LAST_COUNTS,
    gone: /^303 \/applications deleted-already /,
    storage: NO_FILES,
    twice: true,
  },
];
