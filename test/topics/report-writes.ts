// The writes about reports that a record is wrong, for writes.ts.
import { randomUUID } from 'node:crypto';
import { addStep, type AskedStep, type Reader } from '#app/wrong-records/add-step.server.ts';
import { report, REPORTER_BY_MAIL } from '#test/wrong-records.ts';
import { REGO, type World } from './world.ts';

async function take({ services }: World, by: Reader, step: AskedStep['step'], decision?: AskedStep['decision']) {
  const newest = services.db.selectFrom('wrongReport').select('id').orderBy('number', 'desc').limit(1);
  const { id } = await newest.executeTakeFirstOrThrow();
  const answer = await addStep(services, by, { id, step, words: 'Said.', decision, files: [], key: randomUUID() });
  if (!answer.done) throw new Error(`${step}: ${answer.reason}`);
}
const office = async (world: World): Promise<Reader> => ({ as: 'office', who: await world.whoOf(world.admin) });

async function confirmNew(world: World): Promise<void> {
  const { services } = world;
  const visits = services.db.selectFrom('visit').innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId');
  const actor = visits.innerJoin('actor', 'actor.id', 'visit.technicianId').select('visit.id');
  const { personId } = await world.whoOf(world.technician);
  const own = actor.where('rego', '=', REGO).where('actor.personId', '=', personId);
  const { id } = await own.orderBy('openedAt', 'desc').executeTakeFirstOrThrow();
  ({ id: world.report } = await report(services, { vehicle: REGO, visit: id }));
  await take(world, REPORTER_BY_MAIL, 'confirmed');
}

export const REPORT_WRITES = {
  'report.confirmed': confirmNew,
  'report.added': (world: World) => take(world, REPORTER_BY_MAIL, 'added'),
  'report.asked': async (world: World) => take(world, await office(world), 'asked'),
  'report.answered': async (world: World) =>
    take(world, { as: 'technician', who: await world.whoOf(world.technician) }, 'answered'),
  'report.decided': async (world: World) => take(world, await office(world), 'decided', 'right'),
  'report.second-look': (world: World) => take(world, REPORTER_BY_MAIL, 'second-look'),
  'report.taken-back': (world: World) => take(world, REPORTER_BY_MAIL, 'taken-back'),
  async 'report.spam'(world: World) {
    await confirmNew(world);
    await take(world, await office(world), 'spam');
  },
  async 'report.opened'(world: World) {
    await report(world.services, { weighbridge: world.reference }, { kind: 'other' });
    await take(world, REPORTER_BY_MAIL, 'confirmed');
    await take(world, await office(world), 'asked');
  },
};
