// Does every kind of write once, with the product's functions, in an order in which each finds the records it needs.
import type { ActivityKind } from '#app/activity-log/activity.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { deleteApplication } from '#app/applications/delete-application.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { calibrationSchema, correctionSchema } from '#app/recording/calibration-entry.ts';
import { correctCalibration } from '#app/recording/correct-calibration.server.ts';
import { closeExpired, finishVisit } from '#app/visits/close-visit.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { OPEN_MS, type Decision, type DecisionReason } from '#app/visits/visit.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { confirmFollowing, endFollowing } from '#app/following/keep-following.server.ts';
import { addFollower } from '#test/followers.ts';
import { erasePerson } from '#app/people/erase-person.server.ts';
import { PROFILE_UPDATED } from '#app/people/update-profile.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { withdrawProposal } from '#app/policy/decide-proposal.server.ts';
import { currentPolicy, findProposal } from '#app/policy/queries.server.ts';
import { listSuspensions } from '#app/technicians/queries.server.ts';
import { recordLicenceEnd } from '#app/technicians/record-licence-end.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { reinstateTechnician, suspendTechnician } from '#app/technicians/suspend-technician.server.ts';
import { keepChecks } from '#app/transparency-log/history-checks.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { applicationOf } from '#test/applications.ts';
import { uploadPhoto } from '#test/photos.ts';
import { policyInput } from '#test/policy.ts';
import { NO_FILES, setInput, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { ACCOUNT_WRITES, updatePhone } from './account-writes.ts';
import { CHECK_VISIT_WRITES } from './check-visit-writes.ts';
import { JOIN_WRITES } from './join-writes.ts';
import { PATTERN_WRITES } from './pattern-writes.ts';
import { PLATE_WRITES } from './plate-writes.ts';
import { REPORT_WRITES } from './report-writes.ts';
import { WITHDRAWAL_WRITES } from './withdrawal-writes.ts';
import { REFERENCE_WRITES } from './reference-writes.ts';
import { APPLICANT, DECLINED, IMPORTED_REGO, LEAVER, REGO, type World } from './world.ts';

type Write = (world: World) => Promise<unknown>;

const VIN = '6F5AAAAAAAAAAA111';
const TRUCK = { rego: REGO, vin: VIN, axle_groups: 'STEER', company_name: 'First Freight' };
const IMPORTED_ADMIN = 'imported,admin@registry,example';
const IMPORTED_TECHNICIAN = 'imported,technician@yard,example';
const IMPORTED_APPLICANT = 'imported,applicant@yard,example';

const todayOf = ({ services }: World) => todayIn(services.config.timeZone, services.now());

async function decide({ services, admin, whoOf }: World, decision: Decision, reason: DecisionReason) {
  const { db, now } = services;
  const visits = db.selectFrom('visit').select(['id', 'state']).where('state', 'in', ['waits', 'set-aside']);
  const visit = await visits.orderBy('openedAt', 'desc').executeTakeFirstOrThrow();
  const input = { decision, reason, note: 'Looked at it.', openedState: visit.state };
  return decideVisit(db, await whoOf(admin), { visitId: visit.id, input, now: now(), key: undefined });
}

/** A kind without a write here does not compile. */
export const WRITES = {
  async 'vehicle.added'({ services, technician, whoOf }) {
    const input = vehicleInput({ ...TRUCK, make: 'Volvo' });
    return registerVehicle(services, await whoOf(technician), { input, choice: NO_FILES, key: undefined });
  },
  async 'calibration.recorded'(world) {
    const { services, technician, whoOf, readings } = world;
    const reading = { axle: 'STEER', attribute: 'Empty Volt', value: '0.84', due_date: addDays(todayOf(world), 90) };
    const entry = calibrationSchema(todayOf(world)).parse(reading);
    const when = { now: services.now(), zone: services.config.timeZone, key: undefined };
    const recorded = await recordCalibration(services.db, await whoOf(technician), {
      rego: REGO,
      input: entry,
      ...when,
    });
    if (recorded.recorded) readings.push(recorded.id);
    return recorded;
  },
  async 'calibration.corrected'(world) {
    const { services, technician, whoOf, readings } = world;
    const correct = { axle: 'STEER', attribute: 'Empty Volt', value: '0.85', due_date: addDays(todayOf(world), 120) };
    const correction = correctionSchema.parse({ ...correct, reason: 'Misread.' });
    const { timeZone: zone } = services.config;
    const when = { now: services.now(), key: undefined, zone };
    const which = { rego: REGO, id: readings.at(-1) ?? 0 };
    const corrected = await correctCalibration(services.db, await whoOf(technician), {
      ...which,
      input: correction,
      ...when,
    });
    if (corrected.corrected) readings.push(corrected.id);
    return corrected;
  },
  // It waits: an admin decides about it next.
  async 'calibration-set.recorded'(world) {
    const { services, technician, whoOf } = world;
    const { axles, ...stated } = setInput(VIN, services.now());
    const tonnes = axles.map((one) => ({ ...one, readings: { ...one.readings, empty_weight: '3.94' } }));
    const visit = { ...stated, due_date: addDays(todayOf(world), 90), axles: tonnes };
    const who = await whoOf(technician);
    const photo = await uploadPhoto(services, who);
    return recordCalibrationSet(services, who, { rego: REGO, input: visit, photos: [photo], key: undefined });
  },
  async 'visit.closed'({ services, technician, whoOf }) {
    const { db, config } = services;
    const visit = await db.selectFrom('visit').select('id').where('state', '=', 'open').executeTakeFirstOrThrow();
    const moment = { now: services.now(), zone: config.timeZone, key: undefined };
    return finishVisit(db, await whoOf(technician), { rego: REGO, visitId: visit.id, ...moment });
  },
  'visit.set-aside': (world) => decide(world, 'set-aside', 'does-not-fit'),
  'visit.accepted': (world) => decide(world, 'accepted', 'weighed-again'),
  // Accepting the visit has ticked it.
  'validation.withdrawn': async ({ services: { db }, admin, whoOf }) =>
    decideValidation(db, await whoOf(admin), { rego: REGO, validated: false, reason: 'Looked again.' }),
  'vehicle.validated': async ({ services: { db }, admin, whoOf }) =>
    decideValidation(db, await whoOf(admin), { rego: REGO, validated: true, reason: 'Looked at it.' }),
  async 'vehicle.updated'({ services, technician, whoOf }) {
    const found = await findVehicle(services.db, REGO);
    const version = found.state === 'live' ? String(found.vehicle.version) : '';
    const input = vehicleInput({ ...TRUCK, make: 'Mack', version });
    return updateVehicle(services, await whoOf(technician), { rego: REGO, input, choice: NO_FILES, key: undefined });
  },
  async 'history.checked'({ services }) {
    const truck = await findVehicle(services.db, REGO);
    const id = truck.state === 'live' ? truck.vehicle.id : '';
    const found = ['calibration: it is not what was logged'];
    await keepChecks(services.db, [{ id, rego: REGO, findings: found, before: [] }], services.now());
    await keepChecks(services.db, [{ id, rego: REGO, findings: [], before: found }], services.now());
  },
  async 'vehicle.followed'(world) {
    const { services } = world;
    const found = await findVehicle(services.db, REGO);
    if (found.state !== 'live') throw new Error('there is no vehicle to follow');
    const follower = { vehicleId: found.vehicle.id };
    ({ token: world.leaving } = await addFollower(services.db, follower, services.now()));
    return confirmFollowing(services, world.leaving);
  },
  'vehicle.unfollowed': ({ services, leaving }) => endFollowing(services, leaving),
  async 'list.followed'(world) {
    const { services } = world;
    ({ token: world.leaving } = await addFollower(services.db, { list: REGO }, services.now()));
    return confirmFollowing(services, world.leaving);
  },
  'list.unfollowed': ({ services, leaving }) => endFollowing(services, leaving),
  'vehicle.removed': async ({ services: { db }, admin, whoOf }) =>
    removeVehicle(db, await whoOf(admin), { rego: REGO }),
  async 'vehicle.restored'({ services: { db }, admin, whoOf }) {
    const { id } = await db.selectFrom('vehicle').select('id').where('rego', '=', REGO).executeTakeFirstOrThrow();
    return restoreVehicle(db, await whoOf(admin), { id });
  },

  async 'vehicle.imported'(world) {
    const like = world.export['Vehicles']?.['XV04KL'];
    await world.import('Vehicles', IMPORTED_REGO, { ...like, rego: IMPORTED_REGO, vin: '', calibrations: {} });
  },
  'calibration.imported': (world) =>
    world.import('Vehicles', IMPORTED_REGO, { calibrations: world.export['Vehicles']?.['XV04KL']?.['calibrations'] }),
  'calibration.updated'(world) {
    const before = world.export['Vehicles']?.[IMPORTED_REGO]?.['calibrations'];
    const calibrations: Record<string, Record<string, unknown>> = JSON.parse(JSON.stringify(before));
    const latest = Object.keys(calibrations).toSorted().at(-1) ?? '';
    calibrations[latest] = { ...calibrations[latest], calibration_value: '77' };
    return world.import('Vehicles', IMPORTED_REGO, { calibrations });
  },
  'admin.imported': (world) =>
    world.import('Admins', IMPORTED_ADMIN, { email: 'imported.admin@registry.example', name: 'Ina Import' }),
  'technician.imported': (world) =>
    world.import('Technicians', IMPORTED_TECHNICIAN, {
      email: 'imported.technician@yard.example',
      rep_name: 'Tom Import',
      company_name: 'AAA Imports',
    }),
  'application.imported': (world) =>
    world.import('Applications', IMPORTED_APPLICANT, {
      email: 'imported.applicant@yard.example',
      company_name: 'AAA Applies',
      requested_at: '2026-01-05',
    }),
  'application.updated': (world) => world.import('Applications', IMPORTED_APPLICANT, { address: '1 New Street' }),
  'technician.updated': (world) =>
    world.import('Technicians', world.technician.email.replaceAll('.', ','), { address: '2 New Street' }),
  'record.changed': (world) =>
    world.import('ActivityLogs', '-Otest1', {
      action: 'Something done',
      details: 'something updated',
      name: 'Mia Kowalski',
      email: world.admin.email,
      timestamp: '2026-01-05',
    }),

  'application.submitted': ({ services }) =>
    requestRegistration(services, '192.0.2.1', { input: applicationOf('new.applicant@yard.example'), key: undefined }),
  'application.deleted': async ({ services, admin, whoOf }) =>
    deleteApplication(services, await whoOf(admin), { email: DECLINED, reason: 'Not a technician.' }),
  'technician.approved': async ({ services, admin, whoOf }) =>
    approveApplication(services, await whoOf(admin), { email: APPLICANT, first: { by: 'link' }, key: undefined }),
  async 'technician.suspended'(world) {
    const { services, admin, technician, whoOf } = world;
    const input = { from: todayOf(world), reason: 'Something to look at.' };
    return suspendTechnician(services, await whoOf(admin), { email: technician.email, ...input, key: undefined });
  },
  async 'technician.reinstated'(world) {
    const { services, admin, technician, whoOf } = world;
    const { recordId } = await whoOf(technician);
    const [suspension] = await listSuspensions(services.db, recordId);
    const input = { from: todayOf(world), suspension: suspension?.id ?? '' };
    return reinstateTechnician(services, await whoOf(admin), { email: technician.email, ...input, key: undefined });
  },
  'technician.removed': async ({ services, admin, whoOf }) =>
    removeTechnician(services, await whoOf(admin), { email: LEAVER }),
  async 'person.erased'({ services, admin, whoOf }) {
    const { db } = services;
    const { id } = await db.selectFrom('person').select('id').where('email', '=', LEAVER).executeTakeFirstOrThrow();
    return erasePerson(services, await whoOf(admin), { personId: id, reason: 'They asked for it.' });
  },
  ...ACCOUNT_WRITES,
  ...REFERENCE_WRITES,
  ...WITHDRAWAL_WRITES,
  ...CHECK_VISIT_WRITES,
  ...PLATE_WRITES,
  ...JOIN_WRITES,
  ...PATTERN_WRITES,
  ...REPORT_WRITES,
  'policy.changed': (world) => changeRules(world, { due_soon_days: '45' }),
  'policy.proposed': (world) => changeRules(world, { tolerance_kg: '600' }),
  async 'policy.withdrawn'({ services, admin, whoOf }) {
    const proposal = await findProposal(services.db);
    return withdrawProposal(services, await whoOf(admin), { id: proposal?.id ?? '', key: undefined });
  },
} satisfies Record<ActivityKind, Write>;

/** The same kinds in other ways, by other people. */
export const MORE_WRITES: readonly (readonly [ActivityKind, string, Write])[] = [
  [
    'calibration-set.recorded',
    'of a visit that counts',
    async ({ services, technician, whoOf }) =>
      recordHonestSet(services, await whoOf(technician), REGO, { weighbridge: 'Port Kembla' }),
  ],
  [
    'visit.closed',
    'by itself',
    async (world) => {
      const recorded = await WRITES['calibration.recorded'](world);
      const { db, now, config } = world.services;
      const later = new Date(now().getTime() + 2 * OPEN_MS);
      return { recorded, closed: await closeExpired(db, { now: later, zone: config.timeZone }) };
    },
  ],
  [
    'profile.updated',
    'of a technician',
    async (world) => updatePhone(world, world.technician, await world.whoOf(world.technician), PROFILE_UPDATED),
  ],
  [
    'technician.updated',
    'by an admin',
    async ({ services, admin, technician, whoOf }) =>
      recordLicenceEnd(services, await whoOf(admin), { email: technician.email, endsOn: '2030-01-31', key: undefined }),
  ],
  [
    'admin.updated',
    'by an import',
    (world) => world.import('Admins', 'ruth,tran@registry,example', { address: '3 New Street' }),
  ],
  [
    'vehicle.updated',
    'by an import',
    (world) => world.import('Vehicles', IMPORTED_REGO, { company_name: 'AAA Haulage' }),
  ],
];

async function changeRules({ services, admin, whoOf }: World, rules: Record<string, string>) {
  const input = policyInput(await currentPolicy(services.db), { ...rules, reason: 'A test.' });
  return changePolicy(services, await whoOf(admin), { input, key: undefined });
}
