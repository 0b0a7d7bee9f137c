// The forms about weighbridges.
import { FAILURES } from '#app/forms/failures.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Person } from '#test/people.ts';
import { newReference, newVerification } from '#test/references.ts';
import { LAST_COUNTS, LONG, NEW, NO_FILES, TOO_LONG, type Row } from './row.ts';

const NEVER_REMOVED = { not: 'a weighbridge is never removed from the register' };
const TO_PAGE = (flash: string) => new RegExp(`^303 /references/[0-9a-f-]{36} ${flash} `);

let made = 0;
const newName = (): string => `Forms weighbridge ${(made += 1)}`;
const add = (db: Db, { personId }: Person) => newReference(db, personId, newName());

export const REFERENCE_ROWS: readonly Row[] = [
  {
    route: 'references/routes/new.tsx',
    inBrowser: { button: 'Add weighbridge', failure: FAILURES.addReference },
    open: async () => ({
      address: '/references/new',
      fields: { name: newName(), place: 'Example Creek', state: 'VIC', operator: 'typed with care' },
    }),
    done: TO_PAGE('reference-added'),
    refused: { fields: { capacity_kg: 'heavy' }, says: /^400 .*Enter whole kilograms from 1.*typed with care/ },
    stale: NEW,
    gone: NEW,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'references/routes/update.tsx',
    inBrowser: { button: 'Update weighbridge', failure: FAILURES.updateReference },
    async open({ db }, admin) {
      const { id, name } = await add(db, admin);
      const stale = () =>
        db.updateTable('reference').set({ version: 7, place: 'Moved' }).where('id', '=', id).execute();
      const fields = { name, place: 'Example Creek', state: 'VIC', operator: 'typed with care' };
      return { address: `/references/${id}/update`, fields, stale };
    },
    done: TO_PAGE('reference-updated'),
    refused: { fields: { name: ' ' }, says: /^400 .*A name is required\..*typed with care/ },
    stale: /^409 .*changed-meanwhile\..*typed with care/,
    gone: NEVER_REMOVED,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'references/routes/verify.tsx',
    inBrowser: { button: 'Add verification', failure: FAILURES.addVerification },
    async open({ db }, admin) {
      const { id } = await add(db, admin);
      const fields = { certificate_number: 'typed with care', from: '2026-03-10', to: '' };
      const stale = () => newVerification(db, admin.personId, id, { certificateNumber: 'typed with care' });
      return { address: `/references/${id}/verify`, fields, stale };
    },
    done: TO_PAGE('verification-added'),
    refused: { fields: { to: '2026-03-09' }, says: /^400 .*typed with care.*The last day is before the first\./ },
    stale: /^409 .*period-exists\..*typed with care/,
    gone: NEVER_REMOVED,
    storage: { field: 'certificate_file', name: 'certificate.png' },
    twice: true,
  },
  {
    route: 'references/routes/withdraw.tsx',
    inBrowser: { button: 'Withdraw', failure: FAILURES.withdrawVerification },
    async open({ db }, admin) {
      const { id } = await add(db, admin);
      const period = await newVerification(db, admin.personId, id, {});
      const gone = () =>
        db
          .updateTable('referenceVerification')
          .set({ removedAt: new Date(), removedBy: period.addedBy, removedReason: 'First.' })
          .where('id', '=', period.id)
          .execute();
      return { address: `/references/${id}/withdraw/${period.id}`, fields: { reason: 'Of another.' }, gone };
    },
    done: TO_PAGE('verification-withdrawn'),
    refused: { fields: { reason: LONG }, says: TOO_LONG },
    stale: LAST_COUNTS,
    gone: /^409 .*withdrawn-already\..*Of another\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'references/routes/repair.tsx',
    inBrowser: { button: 'Note repair', failure: FAILURES.addRepair },
    async open({ db }, admin) {
      const { id } = await add(db, admin);
      return { address: `/references/${id}/repair`, fields: { on: '2026-03-02', note: 'typed with care' } };
    },
    done: TO_PAGE('repair-added'),
    refused: { fields: { on: 'soon' }, says: /^400 .*Enter a date such as.*typed with care/ },
    stale: LAST_COUNTS,
    gone: NEVER_REMOVED,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'references/routes/import.tsx',
    inBrowser: { button: 'Import', failure: FAILURES.importReferences },
    open: async () => ({
      address: '/references/import',
      fields: { csv: `name,place,state,operator\n${newName()},Example Creek,VIC,typed with care\n` },
    }),
    done: /^303 \/references references-imported /,
    refused: {
      fields: { csv: 'name,place,state\ntyped with care,Example Creek,XX\n' },
      says: /^400 .*lines-refused\..*Line 2.*Choose a state or territory\..*typed with care/,
    },
    stale: NEW,
    gone: NEW,
    storage: NO_FILES,
    twice: true,
  },
];
