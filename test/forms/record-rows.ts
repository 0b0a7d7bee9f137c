// The forms about vehicles, their calibrations and followers, and the policy.
import { FAILURES } from '#app/forms/failures.ts';
import { randomInt } from 'node:crypto';
import { stateHash } from '#app/visits/may-decide.server.ts';
import type { CheckResult } from '#app/visits/visit-facts.ts';
import { findVisit } from '#app/visits/visit-queries.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { policyTexts } from '#test/policy.ts';
import { newProposal, newVersion } from './policy-ground.ts';
import {
  newEmail,
  newFollower,
  newList,
  newRego,
  newVehicle,
  newWaitingVisit,
  previewOf,
  readingOf,
  removeVehicle,
  send,
} from './ground.ts';
import { BUTTON, LAST_COUNTS, LONG, NEW, NO_FILES, NO_KEY, TOO_LONG, type Row } from './row.ts';

const GONE_PAGE = /^409 .*was removed from this registry/;
const TO_VEHICLE = /^303 \/vehicles\/view\/\w+ $/;

/** Only a taken-over line disagrees. */
const TAKEN_OVER: readonly CheckResult[] = [
  { check: 'agrees', rule: 'must', answer: 'failed', sentence: 'Drive differs.', numbers: { isTakenOver: true } },
];

const VISIT = {
  confirmed: 'yes',
  vin: 'VIN1',
  visit_date: '2026-01-05',
  visit_time: '09:30',
  axle: 'STEER',
  STEER_empty_volt: '0.84',
  STEER_empty_weight: '3940',
  STEER_loaded_volt: '1.46',
  STEER_loaded_weight: '5880',
  notes: 'typed with care',
};

export const RECORD_ROWS: readonly Row[] = [
  {
    route: 'vehicles/routes/new.tsx',
    inBrowser: { button: 'Add Vehicle', failure: FAILURES.addVehicle },
    open: async () => ({ address: '/vehicles/new', fields: { rego: newRego(), notes: 'typed with care' } }),
    done: /^303 \/vehicles\S* vehicle-added /,
    refused: { fields: { make: LONG }, says: /^400 .*Use at most 60 characters\..*typed with care/ },
    stale: NEW,
    gone: NEW,
    storage: { field: 'image_file', name: 'truck.png' },
    twice: true,
  },
  {
    route: 'vehicles/routes/update.tsx',
    inBrowser: { button: 'Update Vehicle', failure: FAILURES.updateVehicle },
    async open({ db }) {
      const { rego, id } = await newVehicle(db);
      const stale = () => db.updateTable('vehicle').set({ version: 7, make: 'Mack' }).where('id', '=', id).execute();
      const fields = { make: 'Volvo', notes: 'typed with care' };
      return { address: `/vehicles/update/${rego}`, fields, stale, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/vehicles\/view\/\w+ vehicle-updated /,
    refused: { fields: { make: LONG }, says: /^400 .*Use at most 60 characters\..*typed with care/ },
    stale: /^409 .*changed-meanwhile\..*typed with care/,
    gone: /^409 .*vehicle-removed\..*typed with care/,
    storage: { field: 'image_file', name: 'truck.png' },
    twice: true,
  },
  {
    route: 'vehicles/routes/delete.tsx',
    inBrowser: { button: 'Delete', failure: FAILURES.deletion },
    async open({ db }) {
      const { rego } = await newVehicle(db);
      return { address: `/vehicles/delete/${rego}`, fields: {}, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/vehicles record-deleted /,
    refused: BUTTON,
    stale: LAST_COUNTS,
    gone: /^303 \/vehicles deleted-already /,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'vehicles/routes/removed.tsx',
    inBrowser: { button: 'Restore', failure: FAILURES.restore },
    async open({ db }) {
      const { id } = await newVehicle(db, { deletedAt: new Date() });
      const gone = () => db.updateTable('vehicle').set({ deletedAt: null }).where('id', '=', id).execute();
      return { address: '/vehicles/removed', fields: { id }, gone };
    },
    done: /^303 \/vehicles\/view\/\w+ vehicle-restored /,
    refused: { fields: { id: 'x' }, says: /^404 .*vehicle-unknown\./ },
    stale: LAST_COUNTS,
    gone: /^409 .*restored-already\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'vehicles/routes/validate.tsx',
    inBrowser: { button: 'Validate', failure: FAILURES.validation },
    async open({ db }) {
      const { rego } = await newVehicle(db);
      const fields = { validated: 'yes', reason: 'Seen.' };
      return { address: `/vehicles/validate/${rego}`, fields, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/vehicles\/view\/\w+ vehicle-validated /,
    refused: { fields: { reason: LONG }, says: TOO_LONG },
    stale: LAST_COUNTS,
    gone: TO_VEHICLE,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'vehicle-page/routes/view.tsx',
    inBrowser: { button: 'Add entry', failure: FAILURES.calibration },
    async open({ db }) {
      const { rego } = await newVehicle(db);
      const fields = readingOf(rego, String(5000 + randomInt(900)));
      return { address: `/vehicles/view/${rego}?calibrate`, fields, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/vehicles\/view\/\w+\?calibrate=&axle=STEER\S+ entry-added /,
    refused: { fields: { value: 'heavy' }, says: /^400 .*heavy/ },
    stale: LAST_COUNTS,
    // The page says when it was removed.
    gone: GONE_PAGE,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'recording/routes/calibrate.tsx',
    inBrowser: { button: 'Record calibration', failure: FAILURES.calibration },
    async open({ db }) {
      const { rego, id } = await newVehicle(db);
      const stale = () => db.updateTable('vehicle').set({ vin: 'VIN2' }).where('id', '=', id).execute();
      const address = `/vehicles/calibrate/${rego}`;
      // A visit of long ago is asked about.
      const fields = { ...VISIT, rego, all_the_same: `visit_date:old:${VISIT.visit_date}` };
      return { address, fields, stale, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/vehicles\/view\/\w+ visit-waits /,
    refused: { fields: { confirmed: '' }, says: /^400 .*Confirm that this is the truck.*typed with care/ },
    stale: /^409 .*vin-differs\..*typed with care/,
    gone: /^409 .*vehicle-removed\..*typed with care/,
    storage: { field: 'photo_file', name: 'ticket.png' },
    twice: true,
  },
  {
    route: 'recording/routes/my-visits.tsx',
    inBrowser: { button: 'Finish', failure: FAILURES.visit },
    async open(registry, _admin, cookie) {
      const { db } = registry;
      const { rego, id } = await newVehicle(db);
      await send(registry, { address: `/vehicles/view/${rego}?calibrate`, cookie, fields: readingOf(rego, '5890') });
      const visit = await db.selectFrom('visit').select('id').where('vehicleId', '=', id).executeTakeFirstOrThrow();
      return { address: '/my-visits', fields: { rego, visit: visit.id }, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/my-visits visit-finished /,
    refused: { fields: { visit: 'x' }, says: /^409 .*visit-closed\. This visit of yours is not open any more\./ },
    stale: LAST_COUNTS,
    gone: /^409 .*vehicle-removed\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'recording/routes/correct.tsx',
    inBrowser: { button: 'Correct entry', failure: FAILURES.correction },
    async open(registry, _admin, cookie) {
      const { db } = registry;
      const { rego } = await newVehicle(db);
      await send(registry, { address: `/vehicles/view/${rego}?calibrate`, cookie, fields: readingOf(rego, '5890') });
      const { id } = await db.selectFrom('calibration').select('id').where('rego', '=', rego).executeTakeFirstOrThrow();
      const address = `/calibrations/correct/${rego}/${id}`;
      const fields = { ...readingOf(rego, '5980'), reason: 'A slip.' };
      const stale = () => send(registry, { address, cookie, fields: { ...readingOf(rego, '5985'), reason: 'First.' } });
      return { address, fields, stale, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/calibrations\/\w+\/\d+ entry-corrected /,
    refused: { fields: { reason: ' ' }, says: /^400 .*Give a reason for the correction\./ },
    stale: /^409 .*corrected-already\..*A slip\./,
    gone: /^409 .*vehicle-removed\..*A slip\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'visit-queue/routes/visit.tsx',
    inBrowser: { button: 'Accept', failure: FAILURES.visit },
    async open({ db }) {
      const { rego, id } = await newWaitingVisit(db);
      const stale = () => db.updateTable('visit').set({ state: 'set-aside' }).where('id', '=', id).execute();
      const fields = { decision: 'accepted', reason: 'weighed-again', note: 'typed with care' };
      return { address: `/visits/${id}`, fields, stale, gone: removeVehicle(db, rego) };
    },
    // To the visit that waits next, where there is one.
    done: /^303 \/visits\S* visit-accepted /,
    refused: { fields: { note: LONG }, says: TOO_LONG },
    stale: /^409 .*changed-meanwhile\. The visit has changed since you opened it, and is now: Set aside\./,
    gone: /^409 .*vehicle-removed\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'visit-queue/routes/alike.tsx',
    inBrowser: { button: 'Accept it', failure: FAILURES.visit },
    async open({ db }) {
      const { rego, id } = await newWaitingVisit(db, TAKEN_OVER);
      const stale = () => db.updateTable('visit').set({ dueOn: '2026-06-06' }).where('id', '=', id).execute();
      const visit = await findVisit(db, id);
      const token = `${id}.${visit === undefined ? '' : stateHash(visit)}`;
      return {
        address: `/visits/taken-over?open=${id}`,
        fields: { visit: token, reason: 'taken-over-line' },
        stale,
        gone: removeVehicle(db, rego),
      };
    },
    done: /^303 \/visits visits-accepted /,
    refused: { fields: { visit: 'x' }, says: /^409 .*changed-meanwhile\. 0 of 1 are accepted\./ },
    stale: /^409 .*changed-meanwhile\. 0 of 1 are accepted\./,
    gone: /^409 .*changed-meanwhile\. 0 of 1 are accepted\./,
    storage: NO_FILES,
    twice: true,
  },
  // Before the policy's own row: what is withdrawn makes no version.
  {
    route: 'policy/routes/proposal.tsx',
    inBrowser: { button: 'Withdraw', failure: FAILURES.policy },
    async open({ db }, admin) {
      const now = await currentPolicy(db);
      const id = await newProposal(db, now, admin);
      const end = { outcome: 'withdrawn', endedAt: new Date() } as const;
      const gone = () => db.updateTable('policyProposal').set(end).where('id', '=', id).execute();
      const fields = { decision: 'withdraw' };
      return { address: '/settings/policy/proposal', fields, stale: newVersion(db, now), gone };
    },
    done: /^303 \/settings proposal-withdrawn /,
    refused: BUTTON,
    stale: /^409 .*proposal-gone\./,
    gone: /^409 .*proposal-gone\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'policy/routes/change.tsx',
    inBrowser: { button: 'Save', failure: FAILURES.policy },
    async open({ db }) {
      const now = await currentPolicy(db);
      const other = { interval_days: String(40 + randomInt(300)), due_soon_days: String(1 + randomInt(30)) };
      const fields = policyTexts(now, { ...other, reason: 'typed with care' });
      return { address: '/settings/policy', fields, stale: newVersion(db, now) };
    },
    done: /^303 \/settings policy-changed /,
    refused: { fields: { interval_days: 'x' }, says: /^400 .*Enter whole days from 1.*typed with care/ },
    stale: /^409 .*changed-meanwhile\..*typed with care/,
    gone: { not: 'there always is a policy' },
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'vehicles/routes/kept.tsx',
    inBrowser: { button: 'Keep the list', failure: FAILURES.keepList },
    // The page has a form for each list that is kept already.
    open: () =>
      Promise.resolve({
        address: '/vehicles/kept?of=verdict%3Doverdue',
        fields: { of: 'verdict=overdue', name: newRego(), forget: '' },
      }),
    done: /^303 \/vehicles\?verdict=overdue list-kept /,
    refused: { fields: { name: '' }, says: /^400 .*Enter a name, such as/ },
    stale: NEW,
    gone: NEW,
    storage: NO_FILES,
    twice: { not: 'the same name is kept once' },
  },
  {
    route: 'vehicle-import/routes/import.tsx',
    inBrowser: { button: 'Preview', failure: FAILURES.importVehicles },
    async open({ db }) {
      const csv = `rego,make\n${newRego()},typed with care\n`;
      const { seen } = await previewOf(db, csv);
      return { address: '/vehicles/import', fields: { csv, seen, step: 'import' } };
    },
    done: /^200 .*1 added, 0 changed/,
    refused: { fields: { csv: 'typed with care' }, says: /^400 .*The header needs the column.*typed with care/ },
    stale: NEW,
    gone: NEW,
    storage: NO_FILES,
    twice: { not: 'again it finds each line as it is' },
  },
  {
    route: 'check-list/routes/check.tsx',
    inBrowser: { button: 'Check', failure: FAILURES.check },
    isPublic: true,
    open: () => Promise.resolve({ address: '/check', fields: { list: 'XV04KL' } }),
    done: /^200 .*1 line checked/,
    refused: { fields: { list: 'typed"here\n"' }, says: /^400 .*opens a quotation mark.*typed/ },
    stale: NEW,
    gone: { not: 'it writes nothing' },
    storage: NO_FILES,
    twice: { not: 'it writes nothing' },
  },
  {
    route: 'following/routes/follow.tsx',
    inBrowser: { button: 'Send me the link', failure: FAILURES.follow },
    isPublic: true,
    async open({ db }) {
      const { rego } = await newVehicle(db);
      return { address: `/vehicles/follow/${rego}`, fields: { email: newEmail() }, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/vehicles\/follow\/\w+\?sent /,
    refused: { fields: { email: 'typed' }, says: /^400 .*Enter an email address such as/ },
    stale: NEW,
    gone: TO_VEHICLE,
    storage: NO_FILES,
    twice: { not: 'each sends a link' },
  },
  {
    route: 'following/routes/following.tsx',
    inBrowser: { button: 'Follow', failure: FAILURES.follow },
    isPublic: true,
    async open({ db }) {
      const { id, token } = await newFollower(db);
      const address = `/following/${token}`;
      return { address, fields: {}, gone: () => db.deleteFrom('follower').where('id', '=', id).execute() };
    },
    done: /^200 .*You are following/,
    refused: BUTTON,
    stale: LAST_COUNTS,
    gone: /^410 .*This link no longer works/,
    storage: NO_FILES,
    twice: NO_KEY,
  },
  {
    // As the first mails have it.
    route: 'following/routes/end.tsx',
    inBrowser: { button: 'Stop emails', failure: FAILURES.unfollow },
    isPublic: true,
    async open({ db }) {
      const { id, token } = await newFollower(db);
      const address = `/follow/leave/${token}`;
      return { address, fields: {}, gone: () => db.deleteFrom('follower').where('id', '=', id).execute() };
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
    route: 'following/routes/follow-list.tsx',
    inBrowser: { button: 'Send me the link', failure: FAILURES.follow },
    isPublic: true,
    open: () => Promise.resolve({ address: '/check/follow', fields: { list: 'XV04KL', email: newEmail() } }),
    done: /^303 \/check\/follow\?sent /,
    refused: { fields: { email: 'typed' }, says: /^400 .*Enter an email address such as/ },
    stale: NEW,
    gone: { not: 'nothing is there before' },
    storage: NO_FILES,
    twice: { not: 'each sends a link' },
  },
  {
    route: 'following/routes/following.tsx',
    inBrowser: { button: 'Save the list', failure: FAILURES.follow },
    isPublic: true,
    async open({ db }) {
      const { id, token } = await newList(db);
      return {
        // As older mails have it.
        address: `/lists/${token}`,
        fields: { list: 'XV04KL\nTYPED1', version: '1' },
        stale: () => db.updateTable('follower').set({ version: 2 }).where('id', '=', id).execute(),
        gone: () => db.deleteFrom('follower').where('id', '=', id).execute(),
      };
    },
    done: /^200 .*You are following 2 trucks/,
    refused: { fields: { list: 'typed"here\n"' }, says: /^400 .*opens a quotation mark.*typed/ },
    stale: /^409 .*list-changed\..*TYPED1/,
    gone: /^410 .*This link no longer works/,
    storage: NO_FILES,
    twice: NO_KEY,
  },
  {
    route: 'following/routes/end.tsx',
    inBrowser: { button: 'Stop emails', failure: FAILURES.unfollow },
    isPublic: true,
    async open({ db }) {
      const { id, token } = await newList(db);
      return {
        address: `/following/${token}/end`,
        fields: {},
        gone: () => db.deleteFrom('follower').where('id', '=', id).execute(),
      };
    },
    done: /^200 .*You have unsubscribed/,
    refused: BUTTON,
    stale: LAST_COUNTS,
    // What they asked for is so.
    gone: /^200 .*You have unsubscribed/,
    storage: NO_FILES,
    twice: NO_KEY,
  },
];
