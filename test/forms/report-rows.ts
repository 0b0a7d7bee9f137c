// The forms about reports that a record is wrong.
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { makeLink } from '#app/wrong-records/queries.server.ts';
import type { ReportState, ReportStep } from '#database/report-tables.ts';
import { newEmail, newPerson, newVehicle, signIn } from './ground.ts';
import { BUTTON, NEW, NO_FILES, NO_KEY, type Row } from './row.ts';

const failure = PUBLIC_FAILURES.report;
const FILE = { field: 'files', name: 'gate.png' };
const KEPT = { not: 'a report that is open is never removed' };

/** With these steps behind it, in the last of which it is. `personId`: of the technician who is asked. */
export async function newReport(
  db: Db,
  steps: readonly (ReportStep & ReportState)[],
  personId: string | null = null,
): Promise<{ id: string; token: string; email: string }> {
  const { id: vehicleId } = await newVehicle(db);
  const email = newEmail();
  const now = new Date();
  const day = now.toISOString().slice(0, 10);
  const state = steps.at(-1) ?? 'received';
  const values = {
    vehicleId,
    kind: 'figures',
    email,
    personId,
    state,
    year: 2026,
    receivedAt: now,
    since: 0,
    dueOn: day,
  } as const;
  const { id } = await db.insertInto('wrongReport').values(values).returning('id').executeTakeFirstOrThrow();
  for (const step of steps)
    await db
      .insertInto('wrongReportStep')
      // Who took it makes no difference here.
      .values({ reportId: id, step, by: 'reporter', onDay: day, at: now })
      .execute();
  const token = await db.transaction().execute((tx) => makeLink(tx, { reportId: id, byMail: true }, now));
  return { id, token, email };
}

const close = (db: Db, id: string) => () =>
  db
    .insertInto('wrongReportStep')
    .values({ reportId: id, step: 'taken-back', by: 'reporter', onDay: '2026-11-21', at: new Date() })
    .execute();
const remove = (db: Db, id: string) => () => db.deleteFrom('wrongReport').where('id', '=', id).execute();

export const REPORT_ROWS: readonly Row[] = [
  {
    route: 'wrong-records/routes/new.tsx',
    inBrowser: { button: 'Send report', failure },
    isPublic: true,
    async open({ db }) {
      const { id, rego } = await newVehicle(db);
      return {
        address: `/reports/new?vehicle=${rego}`,
        fields: { kind: 'figures', words: 'typed with care', email: newEmail() },
        gone: () => db.updateTable('vehicle').set({ deletedAt: new Date() }).where('id', '=', id).execute(),
      };
    },
    done: /^303 \/reports\/r\/[\w-]{43} /,
    refused: { fields: { kind: '', email: 'typed' }, says: /^400 .*Choose what is wrong\..*typed with care/ },
    stale: NEW,
    gone: /^4\d\d /,
    storage: FILE,
    twice: { not: 'nobody is told of it before it is confirmed: app/wrong-records/wrong-records.slow.test.ts' },
  },
  {
    route: 'wrong-records/routes/report.tsx',
    inBrowser: { button: 'Confirm the report', failure },
    isPublic: true,
    async open({ db }) {
      const { id, token } = await newReport(db, ['received']);
      const more = { stale: close(db, id), gone: remove(db, id) };
      return { address: `/reports/r/${token}`, fields: { intent: 'confirmed' }, ...more };
    },
    done: /^303 \/reports\/r\/[\w-]{43} report-sent /,
    refused: BUTTON,
    stale: /^409 .*stale\./,
    gone: /^4\d\d /,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'wrong-records/routes/report.tsx',
    inBrowser: { button: 'Send it', failure },
    isPublic: true,
    async open({ db }) {
      const { id, token } = await newReport(db, ['received', 'confirmed']);
      const fields = { intent: 'added', words: 'typed with care' };
      return { address: `/reports/r/${token}`, fields, stale: close(db, id), gone: remove(db, id) };
    },
    done: /^303 \/reports\/r\/[\w-]{43} report-sent /,
    refused: { fields: { words: '' }, says: /^400 .*Write something, or add a file\./ },
    stale: /^409 .*stale\..*typed with care/,
    gone: /^4\d\d /,
    storage: FILE,
    twice: true,
  },
  {
    route: 'wrong-records/routes/report.tsx',
    inBrowser: { button: 'Send the answer', failure },
    async open(registry) {
      const { db } = registry;
      const technician = await newPerson(db, 'technician');
      const { id } = await newReport(db, ['received', 'confirmed', 'asked'], technician.personId);
      return {
        address: `/my-reports/${id}`,
        fields: { intent: 'answered', words: 'typed with care' },
        cookie: await signIn(registry, technician),
        stale: close(db, id),
      };
    },
    done: /^303 \/my-reports\/[0-9a-f-]{36} report-sent /,
    refused: { fields: { words: '' }, says: /^400 .*Write your answer\./ },
    stale: /^409 .*stale\..*typed with care/,
    gone: KEPT,
    storage: FILE,
    twice: true,
  },
  {
    route: 'wrong-records/routes/report.tsx',
    inBrowser: { button: 'Pass it on', failure },
    async open({ db }) {
      const { id } = await newReport(db, ['received', 'confirmed']);
      return { address: `/reports/${id}`, fields: { intent: 'asked' }, stale: close(db, id) };
    },
    done: /^303 \/reports\/[0-9a-f-]{36} report-sent /,
    refused: { fields: { intent: 'decided', words: '' }, says: /^400 .*Say why, for the reporter\./ },
    stale: /^409 .*stale\./,
    gone: KEPT,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'wrong-records/routes/mine.tsx',
    inBrowser: { button: 'Send me the link', failure },
    isPublic: true,
    open: () => Promise.resolve({ address: '/reports/mine', fields: { email: newEmail() } }),
    done: /^303 \/reports\/mine reports-mailed /,
    refused: { fields: { email: 'typed' }, says: /^400 .*Enter an email address such as/ },
    stale: NEW,
    gone: { not: 'nothing is there before' },
    storage: NO_FILES,
    twice: { not: 'each sends a link' },
  },
  {
    route: 'wrong-records/routes/mine.tsx',
    inBrowser: { button: 'Erase what you keep of me', failure },
    isPublic: true,
    async open({ db }) {
      const { email } = await newReport(db, ['received']);
      const token = await db.transaction().execute((tx) => makeLink(tx, { email, byMail: true }, new Date()));
      const gone = () => db.deleteFrom('wrongReportLink').where('email', '=', email).execute();
      return { address: `/reports/mine/${token}`, fields: {}, gone };
    },
    done: /^303 \/reports\/mine person-erased /,
    refused: BUTTON,
    stale: NEW,
    gone: /^4\d\d /,
    storage: NO_FILES,
    twice: NO_KEY,
  },
];
