// The writes of withdrawals of weighbridges, and of a visit's weighbridge and photo, for writes.ts. The registry that
// runs applies them, as its leader.
import { setTimeout as pause } from 'node:timers/promises';
import type { SignedIn } from '#app/access/session.server.ts';
import { hidePhoto, showPhoto } from '#app/visits/hide-photo.server.ts';
import { matchVisit } from '#app/visits/match-visit.server.ts';
import {
  decideWithdrawal,
  proposeWithdrawal,
  type WithdrawalDecision,
} from '#app/withdrawals/decide-withdrawal.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { findWithdrawal } from '#app/references/withdrawal-queries.server.ts';
import type { World } from './world.ts';

const LONG_AGO = { fromOn: '1999-05-03', toOn: '1999-05-19' };
const SOON_MS = 100;

/** Somebody else than the admin of all writes. */
export async function another({ services, admin, whoOf }: World): Promise<SignedIn> {
  const who = await whoOf(admin);
  const other = await services.db
    .selectFrom('actor')
    .innerJoin('admin', 'admin.personId', 'actor.personId')
    .select(['actor.personId', 'actor.name', 'actor.email'])
    .where('actor.personId', '<>', who.personId)
    .where('admin.deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow();
  return { ...who, ...other };
}

async function propose(world: World, span: { fromOn: string; toOn: string }) {
  const { services, reference } = world;
  const proposal = { ...span, reason: 'out of tolerance', note: '' } as const;
  const proposed = await proposeWithdrawal(services, await another(world), {
    referenceId: reference,
    ...proposal,
    key: undefined,
  });
  if (proposed.proposed) world.withdrawal = proposed.id;
  return proposed;
}

async function decide(world: World, decision: WithdrawalDecision) {
  const who = decision === 'propose-lift' ? await another(world) : await world.whoOf(world.admin);
  const decided = await decideWithdrawal(world.services, who, { id: world.withdrawal, decision, key: undefined });
  await applied(world);
  return decided;
}

async function applied({ services: { db }, withdrawal }: World): Promise<void> {
  for (;;) {
    const found = await findWithdrawal(db, withdrawal);
    if (found === undefined || found.confirmedAt === null) return;
    if ((found.liftedAt === null ? found.appliedAt : found.liftAppliedAt) !== null) return;
    await pause(SOON_MS);
  }
}

const aroundToday = ({ services }: World) => {
  const today = todayIn(services.config.timeZone, services.now());
  return { fromOn: addDays(today, -1), toOn: today };
};

export const WITHDRAWAL_WRITES = {
  async 'visit.matched'({ services, admin, whoOf, reference }: World) {
    const set = await services.db.selectFrom('calibrationSet').select('id').executeTakeFirstOrThrow();
    const values = { referenceId: reference, openedReference: null };
    return matchVisit(services, await whoOf(admin), { visitId: set.id, ...values, key: undefined });
  },
  async 'photo.hidden'({ services, admin, whoOf }: World) {
    const sets = services.db.selectFrom('calibrationSet').select('id').where('photoId', 'is not', null);
    const { id } = await sets.executeTakeFirstOrThrow();
    return hidePhoto(services.db, await whoOf(admin), { visitId: id, now: services.now(), key: undefined });
  },
  async 'photo.shown'({ services, admin, whoOf }: World) {
    const { id } = await services.db
      .selectFrom('visit')
      .select('id')
      .where('photoHiddenAt', 'is not', null)
      .executeTakeFirstOrThrow();
    return showPhoto(services.db, await whoOf(admin), { visitId: id, now: services.now(), key: undefined });
  },
  'withdrawal.proposed': (world: World) => propose(world, LONG_AGO),
  'withdrawal.dropped': (world: World) => decide(world, 'drop'),
  async 'withdrawal.confirmed'(world: World) {
    await propose(world, LONG_AGO);
    return decide(world, 'confirm');
  },
  async 'reference.withdrawn'(world: World) {
    await propose(world, aroundToday(world));
    return decide(world, 'confirm');
  },
  'lift.proposed': (world: World) => decide(world, 'propose-lift'),
  'lift.dropped': (world: World) => decide(world, 'drop-lift'),
  async 'lift.confirmed'(world: World) {
    await propose(world, LONG_AGO);
    await decide(world, 'confirm');
    await decide(world, 'propose-lift');
    return decide(world, 'confirm-lift');
  },
  async 'reference.reinstated'(world: World) {
    const { id } = await world.services.db
      .selectFrom('referenceWithdrawal')
      .select('id')
      .where('confirmedAt', 'is not', null)
      .where('liftedAt', 'is', null)
      .where('fromOn', '>', '2000-01-01')
      .executeTakeFirstOrThrow();
    world.withdrawal = id;
    await decide(world, 'propose-lift');
    return decide(world, 'confirm-lift');
  },
};
