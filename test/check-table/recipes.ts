// The table of checks: how each answer of each check comes about, by each way in which a visit gets into the registry;
// or why it cannot. check-table.sampled.test.ts tries each under each rule of the policy.
import type { CheckAnswer } from '#app/visits/visit-facts.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import type { CheckName } from '#app/policy/policy.ts';
import { TODAY } from './cell.ts';
import { GROSS } from './gross.ts';
import { SEALS } from './seals.ts';
import { never, plain, row, setThenCorrect, type Row, type Step } from './recipe.ts';

const NAMES_NONE = 'single entries and exports name no weighbridge';
const NO_TICKET = 'single entries and exports have no ticket number';
const NO_PHOTO = 'single entries and exports have no photo';
const FOUR = 'a set has four readings of each axle group that is ticked, which give a line';

// Three of the four, which closes by itself with none.
const THREE = ['empty_volt', 'empty_weight', 'loaded_volt'] as const;
const threeSingles: Step = async (cell) => {
  await cell.singles({ only: THREE });
  await cell.finish();
};
const threeImported: Step = (cell) => cell.imports({ only: THREE });
const oneMovedAway: Step = setThenCorrect({}, { axle: 'DRIVE' }, { attribute: 'Loaded Weight' });
const missing = (says: string): Row =>
  row(says, { 'single entries': threeSingles, set: FOUR, correction: oneMovedAway, import: threeImported }, 'partial');

const BEYOND = addDays(TODAY, 500);
const EIGHT_DAYS_AGO = new Date('2026-11-13T01:00:00Z');
const TONNES = { empty_weight: '3.94' };
const DIFFERS = { loaded_weight: '9000' };
// Its span is more than a tenth of the load, whatever the nudge of the visit.
const LIGHT = { empty_weight: '3940', loaded_volt: '1.02', loaded_weight: '4500' };
// An export does not say which axles a group has.
const axlesSeen: Step = (cell) => cell.fits('STEER');
const ONE_DAY = 'Recorded 1 day after the visit (limit 7 days).';
const LATE = 'Recorded 8 days after the visit (limit 7 days).';
const SAME_VIN = 'Another record has the same VIN.';
const NOBODY = 'Nobody confirmed that rego and VIN were read on the truck.';

export const TABLE: Record<CheckName, Record<CheckAnswer, Row>> = {
  complete: {
    passed: row('The one axle group has its four readings: Steer.', {
      ...plain,
      async correction(cell) {
        await cell.singles({ only: THREE });
        await cell.singles({ only: ['loaded_weight'] }, 'DRIVE');
        await cell.finish();
        await cell.correct({ axle: 'STEER', value: '5880' }, { attribute: 'Loaded Weight', axle: 'DRIVE' });
      },
    }),
    failed: row('Steer has 3 of its 4 readings.', {
      'single entries': threeSingles,
      set: {
        before: (cell) => cell.fits('STEER DRIVE'),
        record: (cell) => cell.set({ axles: ['STEER'] }),
        says: 'Drive has 0 of its 4 readings.',
      },
      correction: oneMovedAway,
      import: threeImported,
    }),
    'cannot be told': row('It is not known which axle groups of this truck carry a sensor.', {
      'single entries': {
        before: (cell) => cell.fits(''),
        record: (cell) => cell.singles().then(() => cell.finish()),
      },
      set: { before: (cell) => cell.fits(''), record: (cell) => cell.set({ axles: ['STEER'] }) },
      correction: { before: (cell) => cell.fits(''), record: setThenCorrect({ axles: ['STEER'] }) },
      import: { before: (cell) => cell.fits(''), record: plain.import },
    }),
  },
  interval: {
    passed: row('Due 182 days after the visit (limit 366 days).', {
      ...plain,
      correction: setThenCorrect({ due_date: null }, { due_date: addDays(TODAY, 182) }),
    }),
    failed: row('Due 500 days after the visit (limit 366 days).', {
      // The policy is tightened while the visit is open.
      async 'single entries'(cell) {
        await cell.policy({ longestIntervalDays: 732 });
        await cell.singles({ only: THREE, dueOn: BEYOND });
        await cell.policy({ longestIntervalDays: 366 });
        await cell.singles({ only: ['loaded_weight'], dueOn: '' });
      },
      set: 'the field of a set refuses more, and a set closes at once',
      // The policy has been loosened since; the visit is judged by its own.
      async correction(cell) {
        await cell.set();
        await cell.policy({ longestIntervalDays: 732 });
        await cell.correct({ due_date: BEYOND });
      },
      import: {
        record: (cell) => cell.imports({ dueOn: BEYOND }),
        says: /^Due 501 days after the visit \(limit 366 days\)\.$/,
      },
    }),
    'cannot be told': row('No due date is stated.', {
      'single entries': (cell) => cell.singles({ dueOn: '' }),
      set: (cell) => cell.set({ due_date: null }),
      correction: setThenCorrect({}, { due_date: '' }),
      import: (cell) => cell.imports({ dueOn: '' }),
    }),
  },
  truck: {
    passed: row('Rego and VIN were read on the truck, and no other record has them.', {
      ...plain,
      import: 'an export does not say that anybody read rego and VIN on the truck',
    }),
    failed: row(SAME_VIN, {
      'single entries': { record: (cell) => cell.singles({ confirmed: false }), says: NOBODY },
      set: (cell) => cell.copyVin().then(() => cell.set()),
      async correction(cell) {
        await cell.set();
        await cell.copyVin();
        await cell.correct();
      },
      import: { record: plain.import, says: NOBODY },
    }),
    'cannot be told': never('whether somebody confirmed the truck is always known'),
  },
  prompt: {
    passed: row(ONE_DAY, {
      'single entries': { record: plain['single entries'], says: 'Recorded on the day of the visit.' },
      set: (cell) => cell.set({ visitedAt: new Date('2026-11-20T01:00:00Z') }),
      // However late the correction.
      async correction(cell) {
        await cell.set({ visitedAt: new Date('2026-11-20T01:00:00Z') });
        cell.services.setNow('2027-01-10T01:00:00Z');
        await cell.correct();
      },
      import: plain.import,
    }),
    failed: row(LATE, {
      'single entries': 'a single entry is of the moment in which it is recorded',
      set: (cell) => cell.set({ visitedAt: EIGHT_DAYS_AGO }),
      correction: setThenCorrect({ visitedAt: EIGHT_DAYS_AGO }),
      import: (cell) => cell.imports({ at: EIGHT_DAYS_AGO }),
    }),
    'cannot be told': never('the days of a visit and of its recording are always known'),
  },
  plausible: {
    passed: row('No reading looks like a slip or a copy.', {
      ...plain,
      correction: setThenCorrect({ readings: { STEER: TONNES } }, { value: '3940' }, { attribute: 'Empty Weight' }),
    }),
    failed: row('Steer: a weight, 3.94, looks like tonnes.', {
      'single entries': (cell) => cell.singles({ readings: TONNES }),
      set: (cell) => cell.set({ readings: { STEER: TONNES } }),
      correction: setThenCorrect({}, { value: '3.94' }, { attribute: 'Empty Weight' }),
      import: { record: (cell) => cell.imports({ readings: TONNES }), noted: 'agrees' },
    }),
    'cannot be told': missing('No axle group has all its readings.'),
  },
  agrees: {
    passed: row(/^1 of 1 axles agree with the calibration before\./, {
      'single entries': { before: (cell) => cell.before(), record: plain['single entries'] },
      set: { before: (cell) => cell.before(), record: plain.set },
      correction: {
        before: (cell) => cell.before(),
        record: setThenCorrect({ readings: { STEER: DIFFERS } }, { value: '5880' }, { attribute: 'Loaded Weight' }),
      },
      import: plain.import,
    }),
    failed: row(
      /^Steer differs by \d,\d{3}\skg at \d,\d{3}\skg from .* 0 of 1 axles agree with the calibration before\.$/,
      {
        'single entries': { before: (cell) => cell.before(), record: (cell) => cell.singles({ readings: DIFFERS }) },
        set: { before: (cell) => cell.before(), record: (cell) => cell.set({ readings: { STEER: DIFFERS } }) },
        correction: {
          before: (cell) => cell.before(),
          record: setThenCorrect({}, { value: '9000' }, { attribute: 'Loaded Weight' }),
        },
        import: (cell) => cell.imports({ readings: DIFFERS }),
      },
    ),
    'cannot be told': row('There is no calibration to compare it with.', {
      ...plain,
      import: { before: (cell) => cell.setAside(), record: plain.import },
    }),
  },
  standing: {
    passed: row('The technician was admitted and in good standing.', plain),
    failed: row('The registry is looking at this visit.', {
      'single entries': { before: (cell) => cell.suspend(), record: plain['single entries'] },
      set: { before: (cell) => cell.suspend(), record: plain.set },
      import: { before: (cell) => cell.suspend(), record: plain.import },
      async correction(cell) {
        await cell.set();
        await cell.suspend();
        await cell.correct();
      },
    }),
    'cannot be told': row('It is not known who calibrated.', {
      'single entries': 'anybody who records has an account, so it is known who they are',
      set: 'anybody who records has an account, so it is known who they are',
      correction: {
        truck: 'imported',
        record: (cell) => cell.imports({ technician: 'A name' }).then(() => cell.correct()),
      },
      import: (cell) => cell.imports({ technician: 'A name' }),
    }),
  },
  load: {
    passed: row(/^Each axle group was loaded to 80\s% of its reference mass or more\.$/, {
      ...plain,
      import: { before: axlesSeen, record: plain.import },
      async correction(cell) {
        await cell.set({ readings: { STEER: LIGHT } });
        await cell.correct({ value: '1.46' }, { attribute: 'Loaded Volt' });
        await cell.correct({ value: '5880' }, { attribute: 'Loaded Weight' });
      },
    }),
    failed: row(/^Loaded lightly: Steer to 4,500\skg \(limit 80\s% of 6,000\skg\)\.$/, {
      'single entries': (cell) => cell.singles({ readings: LIGHT }),
      set: (cell) => cell.set({ readings: { STEER: LIGHT } }),
      async correction(cell) {
        await cell.set({ readings: { STEER: { empty_weight: LIGHT.empty_weight } } });
        await cell.correct({ value: '1.02' }, { attribute: 'Loaded Volt' });
        await cell.correct({ value: '4500' }, { attribute: 'Loaded Weight' });
      },
      import: { before: axlesSeen, record: (cell) => cell.imports({ readings: LIGHT }) },
    }),
    'cannot be told': missing('No axle group has all its readings.'),
  },
  reference: {
    passed: row('A verification of the weighbridge, to 9 March 2027, covers that day.', {
      'single entries': NAMES_NONE,
      set: async (cell) => cell.set(await cell.bridge(true)),
      correction: async (cell) => cell.set(await cell.bridge(true)).then(() => cell.correct()),
      import: NAMES_NONE,
    }),
    failed: row('No weighbridge is named.', {
      ...plain,
      set: {
        record: async (cell) => cell.set(await cell.bridge(false)),
        says: 'No verification of the weighbridge covers that day.',
      },
    }),
    'cannot be told': row('The weighbridge is not in the register.', {
      'single entries': NAMES_NONE,
      set: (cell) => cell.set({ weighbridge: 'the one at Example Creek' }),
      correction: setThenCorrect({ weighbridge: 'the one at Example Creek' }),
      import: NAMES_NONE,
    }),
  },
  ticket: {
    passed: row('No other visit at that weighbridge has this ticket number.', {
      'single entries': NO_TICKET,
      set: (cell) => cell.set(cell.ticket),
      correction: (cell) => cell.set(cell.ticket).then(() => cell.correct()),
      import: NO_TICKET,
    }),
    failed: row('This number is also recorded elsewhere.', {
      'single entries': { record: plain['single entries'], says: 'No ticket number is given.' },
      set: (cell) => cell.otherVisit(cell.ticket).then(() => cell.set(cell.ticket)),
      async correction(cell) {
        await cell.set(cell.ticket);
        await cell.otherVisit(cell.ticket);
        await cell.correct();
      },
      import: { record: plain.import, says: 'No ticket number is given.' },
    }),
    'cannot be told': never('whether a number is given, and is recorded elsewhere, is always known'),
  },
  photo: {
    passed: row('No other visit has this photo.', {
      'single entries': NO_PHOTO,
      set: async (cell) => cell.set(await cell.photo()),
      correction: async (cell) => cell.set(await cell.photo()).then(() => cell.correct()),
      import: NO_PHOTO,
    }),
    failed: row('Another visit has the same photo.', {
      'single entries': { record: plain['single entries'], says: 'There is no photo.' },
      set: async (cell) => {
        await cell.otherVisit(await cell.photo());
        await cell.set(await cell.photo());
      },
      async correction(cell) {
        await cell.set(await cell.photo());
        await cell.otherVisit(await cell.photo());
        await cell.correct();
      },
      import: { record: plain.import, says: 'There is no photo.' },
    }),
    'cannot be told': never('whether there is a photo, and is elsewhere too, is always known'),
  },
  gross: GROSS,
  seals: SEALS,
};
