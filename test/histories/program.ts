// What eight clients are about to do, made by fast-check: small and plain, so that a failing one shrinks to few steps.
// Steps name vehicles and people by number; what they read meanwhile (versions, ids) is up to the run.
import fc from 'fast-check';

const VEHICLE_STEPS = {
  update: 6,
  visit: 4,
  record: 4,
  set: 5,
  correct: 5,
  stretch: 4,
  spoil: 3,
  'decide visit': 7,
  finish: 2,
  register: 1,
  remove: 1,
  restore: 3,
  open: 1,
  validate: 1,
  withdraw: 1,
  'close expired': 1,
  import: 3,
} as const;
const PEOPLE_STEPS = {
  'remove admin': 4,
  'confirm removal': 3,
  'refuse removal': 3,
  'update profile': 4,
  request: 3,
  approve: 3,
  'turn down': 2,
  'remove technician': 2,
  suspend: 3,
  lift: 3,
  'add admin': 1,
  'open profile': 1,
} as const;
const POLICY_STEPS = { 'change rules': 4, 'confirm rules': 4, 'withdraw rules': 1, 'open rules': 1 } as const;
const REFERENCE_STEPS = { withdraw: 4, 'decide withdrawal': 2, lift: 3, 'apply withdrawals': 5 } as const;
/** How a vehicle's rego, or an applicant's address, is found by the first client. */
const BEGINNINGS = ['new', 'there', 'used', 'read', 'removed'] as const;
/** Most vehicles are: what counts is what the histories are about. */
const CALIBRATED = ['used', 'read', 'twice', 'imported'] as const;

export type Beginning = (typeof BEGINNINGS)[number] | (typeof CALIBRATED)[number];
export type VehicleStep = { about: 'vehicle'; what: keyof typeof VEHICLE_STEPS } & Manner;
export type PeopleStep = { about: 'people'; what: keyof typeof PEOPLE_STEPS } & Manner;
export type PolicyStep = { about: 'policy'; what: keyof typeof POLICY_STEPS } & Manner;
export type ReferenceStep = { about: 'reference'; what: keyof typeof REFERENCE_STEPS } & Manner;
export type ProgramStep = VehicleStep | PeopleStep | PolicyStep | ReferenceStep;
type Manner = {
  /** Which vehicle or person, counted round. */
  on: number;
  /** Which of the values that there are to choose from. */
  pick: number;
  /** What the readings are like, or a correction: mostly honest. */
  kind: number;
  /** Hours after the history's moment: in time, when an open visit has ended, or when a correction is late. */
  late: number;
  /** A form opened just now; else the one that the client has had open, if there is one. */
  fresh: boolean;
  /** A double click: the same form twice, at once. */
  twice: boolean;
  /** Milliseconds before it. */
  wait: number;
};

export type Program = {
  /** The first so many clients are admins, the others technicians. */
  admins: number;
  vehicles: readonly Beginning[];
  applicants: readonly Beginning[];
  /** Whether there is an admin who came with an import, and has no password yet. */
  imported: boolean;
  /** Whether there is a weighbridge of the register, which is withdrawn. */
  withdrawals: boolean;
  /** The longest pause, in ms, that the database's connection makes after some statements; 0: none. */
  pause: number;
  clients: readonly (readonly ProgramStep[])[];
};

export const CLIENTS = 8;
const STEPS_MAX = 4;

function weighted<Name extends string>(weights: Readonly<Record<Name, number>>): fc.Arbitrary<Name> {
  const names: Name[] = [];
  for (const name in weights) for (let nth = 0; nth < weights[name]; nth += 1) names.push(name);
  return fc.constantFrom(...names);
}

const manner = {
  on: fc.nat(3),
  pick: fc.nat(3),
  kind: fc.nat(5),
  late: fc.constantFrom(0, 0, 0, 0, 13, 216),
  fresh: fc.boolean(),
  twice: fc.constantFrom(false, false, false, false, true),
  wait: fc.constantFrom(0, 0, 0, 1, 2),
};
const vehicleStep: fc.Arbitrary<ProgramStep> = fc.record({
  about: fc.constant('vehicle' as const),
  what: weighted(VEHICLE_STEPS),
  ...manner,
});
const peopleStep: fc.Arbitrary<ProgramStep> = fc.record({
  about: fc.constant('people' as const),
  what: weighted(PEOPLE_STEPS),
  ...manner,
});

const policyStep: fc.Arbitrary<ProgramStep> = fc.record({
  about: fc.constant('policy' as const),
  what: weighted(POLICY_STEPS),
  ...manner,
});

const referenceStep: fc.Arbitrary<ProgramStep> = fc.record({
  about: fc.constant('reference' as const),
  what: weighted(REFERENCE_STEPS),
  ...manner,
});

function programOf(
  step: fc.Arbitrary<ProgramStep>,
  objects: { vehicles: boolean; people: boolean; withdrawals?: true },
) {
  const some = (are: boolean, beginnings: readonly Beginning[]) =>
    are ? fc.array(fc.constantFrom(...beginnings), { minLength: 1, maxLength: 2 }) : fc.constant([]);
  return fc.record<Program>({
    admins: objects.people ? fc.integer({ min: 2, max: 6 }) : fc.constantFrom(1, 3, 5, 6, 7, CLIENTS),
    vehicles: some(objects.vehicles, [...BEGINNINGS, ...CALIBRATED, ...CALIBRATED]),
    applicants: some(objects.people, BEGINNINGS),
    imported: objects.people ? fc.boolean() : fc.constant(false),
    withdrawals: fc.constant(objects.withdrawals ?? false),
    pause: fc.constantFrom(0, 0, 1, 3),
    clients: fc.array(fc.array(step, { maxLength: STEPS_MAX, size: 'max' }), {
      minLength: CLIENTS,
      maxLength: CLIENTS,
    }),
  });
}

/** What depends on who is an admin, and on the day, is not done where admins come and go. */
const OF_SOME_ADMINS: readonly ProgramStep['what'][] = ['decide visit', 'close expired', 'stretch', 'spoil'];
const vehicleStepBesidePeople = vehicleStep
  .filter(({ what }) => !OF_SOME_ADMINS.includes(what))
  .map((step) => ({ ...step, late: 0 }));

const vehicleStepUnderChangingRules = fc.oneof(
  { weight: 4, arbitrary: vehicleStep },
  { weight: 1, arbitrary: policyStep },
);

const vehicleStepUnderWithdrawals = fc.oneof(
  { weight: 2, arbitrary: vehicleStep },
  { weight: 1, arbitrary: referenceStep },
);

const underWithdrawals = programOf(vehicleStepUnderWithdrawals, { vehicles: true, people: false, withdrawals: true });
const ofPeople = programOf(peopleStep, { vehicles: false, people: true });

/** Where a fault shows soonest. */
export const PROGRAMS_ABOUT = {
  vehicles: programOf(vehicleStep, { vehicles: true, people: false }),
  people: ofPeople,
  withdrawals: underWithdrawals,
};

/** Mostly vehicles; some of people only; some of both, where the locks of the two meet. */
export const programs: fc.Arbitrary<Program> = fc.oneof(
  { weight: 3, arbitrary: PROGRAMS_ABOUT.vehicles },
  { weight: 3, arbitrary: programOf(vehicleStepUnderChangingRules, { vehicles: true, people: false }) },
  { weight: 4, arbitrary: underWithdrawals },
  { weight: 2, arbitrary: ofPeople },
  {
    weight: 2,
    arbitrary: programOf(fc.oneof(vehicleStepBesidePeople, peopleStep), { vehicles: true, people: true }),
  },
);

export const ADMINS_ON_PAGES = 5;
const OF_ADMINS: readonly ProgramStep['what'][] = ['remove', 'restore', 'validate', 'withdraw'];
const ON_PAGES: readonly ProgramStep['what'][] = [
  ...OF_ADMINS,
  'update',
  'register',
  'open',
  'visit',
  'record',
  'correct',
];

/** Of vehicles, by five admins and three technicians who only do what their pages let them. */
export const programsForPages: fc.Arbitrary<Program> = programOf(vehicleStep, { vehicles: true, people: false }).map(
  (program) => ({
    ...program,
    admins: ADMINS_ON_PAGES,
    // No whole set: its form is long.
    vehicles: program.vehicles.map((beginning) => (CALIBRATED.some((one) => one === beginning) ? 'read' : beginning)),
    clients: program.clients.map((steps, nth) =>
      steps.filter(({ what }) => ON_PAGES.includes(what) && (nth < ADMINS_ON_PAGES || !OF_ADMINS.includes(what))),
    ),
  }),
);
