// The writes of check visits, for writes.ts.
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { lapseCheckVisits } from '#app/check-visits/lapse-check-visits.server.ts';
import { askCheckVisit, withdrawCheckVisit } from '#app/check-visits/office/ask-check-visit.server.ts';
import { enforce } from '#test/policy.ts';
import { recordHonestSet } from '#test/visits.ts';
import { another } from './withdrawal-writes.ts';
import { REGO, type World } from './world.ts';

const LATER_MS = 90 * 24 * 3_600_000;
const TONNES = { STEER: { empty_weight: '3.94' } };

/** The newest visit that the technician recorded. */
async function theirVisit({ services, technician, whoOf }: World): Promise<string> {
  const { personId } = await whoOf(technician);
  const { id } = await services.db
    .selectFrom('visit')
    .innerJoin('actor', 'actor.id', 'visit.technicianId')
    .select('visit.id')
    .where('actor.personId', '=', personId)
    .where('state', '<>', 'open')
    .orderBy('openedAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

async function decide(world: World, id: string, decision: 'accepted' | 'set-aside') {
  const { db, now } = world.services;
  const { state } = await db.selectFrom('visit').select('state').where('id', '=', id).executeTakeFirstOrThrow();
  const reason = decision === 'accepted' ? 'weighed-again' : 'does-not-fit';
  const input = { decision, reason, note: '', openedState: state } as const;
  return decideVisit(db, await another(world), { visitId: id, input, now: now(), key: undefined });
}

export const CHECK_VISIT_WRITES = {
  async 'check-visit.asked'(world: World) {
    const about = { visitId: await theirVisit(world), note: 'A test.' };
    return askCheckVisit(world.services, await another(world), { ...about, key: undefined });
  },
  'check-visit.withdrawn': async (world: World) =>
    withdrawCheckVisit(world.services, await another(world), { visitId: await theirVisit(world), key: undefined }),
  // Whatever else holds the truck's visits back by now, an accepted one counts.
  async 'check-visit.drawn'(world: World) {
    const { services, technician, whoOf } = world;
    await enforce(services.db, { checkVisitsPerMille: 1000 });
    await recordHonestSet(services, await whoOf(technician), REGO, { readings: TONNES });
    const decided = await decide(world, await theirVisit(world), 'accepted');
    await enforce(services.db, { checkVisitsPerMille: 0 });
    return decided;
  },
  async 'check-visit.done'(world: World) {
    const { services, admin, whoOf } = world;
    const who = await whoOf(admin);
    await recordHonestSet(services, who, REGO, { nudge: 37 });
    const { id } = await services.db
      .selectFrom('visit')
      .innerJoin('actor', 'actor.id', 'visit.technicianId')
      .select('visit.id')
      .where('actor.personId', '=', who.personId)
      .orderBy('openedAt', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return decide(world, id, 'accepted');
  },
  async 'check-visit.reopened'(world: World) {
    const closed = world.services.db.selectFrom('checkVisit').select('closedBy').where('state', '=', 'done');
    const { closedBy } = await closed.executeTakeFirstOrThrow();
    return decide(world, closedBy ?? '', 'set-aside');
  },
  'check-visit.lapsed': ({ services: { db, config, now } }: World) =>
    lapseCheckVisits(db, { now: new Date(now().getTime() + LATER_MS), zone: config.timeZone }),
};
