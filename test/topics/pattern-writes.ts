// The writes about findings of patterns, for writes.ts.
import { answerFinding, askTechnician, decideFinding, noteOpened } from '#app/patterns/decide-finding.server.ts';
import { keepFindings } from '#app/patterns/keep-findings.server.ts';
import { lookAtNight } from '#app/patterns/look-for-patterns.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { World } from './world.ts';

const acting = ({ services }: World) => ({
  db: services.db,
  now: services.now,
  zone: services.config.timeZone,
});

const newest = async ({ services }: World) =>
  services.db.selectFrom('patternFinding').selectAll().orderBy('foundAt', 'desc').limit(1).executeTakeFirstOrThrow();

export const PATTERN_WRITES = {
  'pattern.looked': (world: World) =>
    lookAtNight(acting(world), addDays(todayIn(world.services.config.timeZone, world.services.now()), 1)),
  async 'pattern.found'({ services, technician, whoOf }: World) {
    const { personId } = await whoOf(technician);
    const visit = await services.db.selectFrom('visit').select('id').limit(1).executeTakeFirstOrThrow();
    const one = {
      pattern: 'same-as-before',
      technician: personId,
      n: 40,
      hits: 3,
      p: 1e-7,
      facts: {},
      findings: [[visit.id]],
    } as const;
    return services.db
      .transaction()
      .execute((tx) => keepFindings(tx, [one], { on: '2026-11-24', now: services.now() }));
  },
  async 'pattern.opened'(world: World) {
    const { id } = await newest(world);
    return noteOpened(acting(world), await world.whoOf(world.admin), id);
  },
  async 'pattern.asked'(world: World) {
    const { id } = await newest(world);
    return askTechnician(acting(world), await world.whoOf(world.admin), { id, key: undefined });
  },
  async 'pattern.answered'(world: World) {
    const { id } = await newest(world);
    return answerFinding(acting(world), await world.whoOf(world.technician), {
      id,
      words: 'Identical trucks.',
      key: undefined,
    });
  },
  async 'pattern.decided'(world: World) {
    const { id, state } = await newest(world);
    const decision = { outcome: 'explained', words: 'Identical trucks.', openedState: state } as const;
    return decideFinding(acting(world), await world.whoOf(world.admin), { id, ...decision, key: undefined });
  },
};
