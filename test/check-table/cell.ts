// What the recipes of the table of checks do. All cells share a registry, which takes longest to open. Each has a
// truck, a technician, a ticket and a picture of its own, and starts by the first policy, with no readings of others
// that it could repeat.
import sharp from 'sharp';
import type { SignedIn } from '#app/access/session.server.ts';
import { finishVisit } from '#app/visits/close-visit.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import type { ReadingPlace } from '#app/visits/visit.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { FIRST_EVIDENCE_RULES } from '#app/policy/policy.ts';
import { suspendTechnician } from '#app/technicians/suspend-technician.server.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { exportedReadings, exportedTruck, type ExportedReadings } from '../exports.ts';
import { importInto } from '../import-run.ts';
import { addSeen } from '../people.ts';
import { enforce } from '../policy.ts';
import { addWeighbridge } from '../withdrawals.ts';
import type { TestServices } from '../services.ts';
import { NO_FILES, vehicleInput } from '../vehicles.ts';
import { correctVisit, liveVehicle, recordHonestSet, recordSingles, visitsOf } from '../visits.ts';
import type { Correction, SetChange, Singles, VisitOfRego } from '../visits.ts';

export const TODAY = '2026-11-21';
export const NOW = `${TODAY}T01:00:00Z`;
/** The day of what an import brings, and its due date. No other visit has an odd nudge. */
const IMPORTED = { at: new Date('2026-11-20T01:00:00Z'), dueOn: '2027-05-21', nudge: 7 };
/** One reading of the former register: it says which axle group the truck has, and makes no line. */
const FORMER = exportedReadings('STEER', new Date('2026-01-10T01:00:00Z'), { only: ['empty_volt'] });

/** As long as a real one: a shorter VIN that two records have says nothing of either. */
const vinOf = (rego: string) => `6T9${rego.padEnd(14, 'X')}`;

export type Cell = Awaited<ReturnType<typeof openCell>>;

/**
 * The `n`th cell. `truck`: with a sensor on its steer axle, registered here, or imported and with a visit here since.
 */
export async function openCell(services: TestServices, admin: SignedIn, n: number, truck: 'registered' | 'imported') {
  const { db } = services;
  const [rego, other] = [`CELL${n}`, `OTHER${n}`];
  const ticket = { ticket_number: String(n), weighbridge: 'the one at Example Creek' };
  const tech = await addSeen(services, 'technician', `jo${n}@scales.example`, 'Jo Nguyen');
  const policy = (rules: Parameters<typeof enforce>[1]) => enforce(db, rules);
  const register = (as: string, vin: string) =>
    registerVehicle(services, admin, {
      input: vehicleInput({ rego: as, vin, axle_groups: 'STEER' }),
      choice: NO_FILES,
      key: undefined,
    });
  const set = (change: SetChange = {}, of = rego) => recordHonestSet(services, tech, of, change);
  const newest = async (): Promise<VisitOfRego> => {
    const visit = (await visitsOf(services, rego)).at(-1);
    if (visit === undefined) throw new Error('no visit is recorded');
    return visit;
  };
  await db.deleteFrom('axleFingerprint').execute();
  await policy(FIRST_EVIDENCE_RULES);
  if (truck === 'registered') await register(rego, vinOf(rego));
  else {
    services.setNow('2026-06-01T01:00:00Z');
    await importInto(services, exportedTruck(rego, '2026-07-11', FORMER));
    await set();
  }
  services.setNow(NOW);
  return {
    services,
    ticket,
    newest,
    policy,
    vehicle: () => liveVehicle(services, rego),

    singles: (given: Singles = {}, axle: Axle = 'STEER') => recordSingles(services, tech, rego, axle, given),
    set,
    imports(given: ExportedReadings & { at?: Date } = {}) {
      const { at, ...stated } = { ...IMPORTED, technician: tech.email, ...given };
      const readings = { ...FORMER, ...exportedReadings('STEER', at, stated) };
      return importInto(services, exportedTruck(rego, IMPORTED.dueOn, readings));
    },
    /** Corrects the newest visit: all its readings, or the one of an attribute. */
    async correct(change: Correction = {}, { attribute, axle = 'STEER' }: Partial<ReadingPlace> = {}) {
      const { id } = await newest();
      return correctVisit(services, admin, rego, id, change, attribute === undefined ? undefined : { axle, attribute });
    },
    async finish() {
      const { id: visitId } = await newest();
      const moment = { now: services.now(), zone: services.config.timeZone, key: undefined };
      return finishVisit(db, tech, { rego, visitId, ...moment });
    },

    /** Which axle groups the truck's record has. */
    async fits(axle_groups: string) {
      const { version, vin, nextCalibrationDueOn } = await liveVehicle(services, rego);
      const kept = { vin, next_calibration_due: nextCalibrationDueOn ?? '', version: String(version) };
      const answer = await updateVehicle(services, admin, {
        rego,
        input: vehicleInput({ rego, ...kept, axle_groups, reason: 'Seen on the truck' }),
        choice: NO_FILES,
        key: undefined,
      });
      if (!answer.updated) throw new Error(answer.reason);
    },
    /** An honest visit half a year before. */
    async before() {
      services.setNow('2026-05-04T01:00:00Z');
      await set();
      services.setNow(NOW);
    },
    async setAside() {
      const { id, state } = await newest();
      const input = { decision: 'set-aside', reason: 'recorded-twice', note: '', openedState: state } as const;
      return decideVisit(db, admin, { visitId: id, input, now: services.now(), key: undefined });
    },
    /** From a day before the visit. */
    suspend: () =>
      suspendTechnician(services, admin, {
        email: tech.email,
        from: '2026-11-01',
        reason: 'Asked about.',
        key: undefined,
      }),
    /** Another record with the same VIN. */
    copyVin: () => register(other, vinOf(rego)),
    async otherVisit(change: SetChange) {
      await register(other, vinOf(other));
      return set(change, other);
    },
    /** A weighbridge of the register, as a set names it. */
    async bridge(isVerified: boolean) {
      const { id, line } = await addWeighbridge(services, admin, `Example Creek ${n}`);
      const period = { certificateNumber: 'VC-88213', fromOn: '2026-03-10', toOn: '2027-03-09' };
      if (isVerified) await addVerification(services, admin, { referenceId: id, period, file: '', key: undefined });
      return { reference_id: id, weighbridge: line };
    },
    /** Uploads a picture, the same each time. */
    async photo() {
      const background = { r: n % 256, g: n >> 8, b: 0 };
      const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background } })
        .png()
        .toBuffer();
      const upload = await addTemporaryUpload(services, tech.personId, {
        role: 'image',
        upload: { name: 'ticket.png', bytes },
      });
      return { photo: upload.added ? upload.id : '' };
    },
  };
}
