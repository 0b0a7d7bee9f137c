// What is done in the office, about rules, weighbridges and people; and what the registry does by itself as time
// passes.
import { addAdmin } from '#app/admins/add-admin.server.ts';
import { listRemovals } from '#app/admins/queries.server.ts';
import { decideRemoval, endDueRemovals, removeAdmin } from '#app/admins/remove-admin.server.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { confirmProposal, enterDueProposal } from '#app/policy/decide-proposal.server.ts';
import { currentPolicy, findProposal } from '#app/policy/queries.server.ts';
import {
  decideWithdrawal,
  liftDue,
  proposeWithdrawal,
  type WithdrawalDecision,
} from '#app/withdrawals/decide-withdrawal.server.ts';
import { adminInput } from '#test/admins.ts';
import { applicationOf } from '#test/applications.ts';
import { policyInput } from '#test/policy.ts';
import { applyAll } from '#test/withdrawals.ts';
import { comesIn, type Ground } from './ground.ts';
import { NOTHING, type Doing } from './perform-visits.ts';
import { addDays, type Deed } from './rules.ts';

const DAY_MS = 86_400_000;
const today = ({ services }: Ground) => services.now().toISOString().slice(0, 10);

const LOOSER = [
  { check_agrees: 'off' },
  { check_plausible: 'noted' },
  { check_truck: 'off' },
  { longest_interval_days: '732' },
  { prompt_days: '60' },
  { every_visit_waits: 'no' },
] as const;
const TIGHTER = [{ every_visit_waits: 'yes' }, { longest_interval_days: '300' }] as const;

async function changeRules(ground: Ground, { who }: Doing, change: Record<string, string>): Promise<Deed> {
  if (who.role !== 'admin') return NOTHING;
  const { services } = ground;
  const input = policyInput(await currentPolicy(services.db), { ...change, reason: 'Better' });
  const answer = await changePolicy(services, who, { input, key: undefined });
  if (answer.changed) ground.openRules = undefined;
  else if ('proposed' in answer) ground.openRules = { by: who.personId, at: services.now() };
  return NOTHING;
}

async function aboutWithdrawal(ground: Ground, { who }: Doing, decision: WithdrawalDecision): Promise<Deed> {
  const { services, bridge, openLift } = ground;
  const row = await services.db
    .selectFrom('referenceWithdrawal')
    .select('id')
    .where('referenceId', '=', bridge.id)
    .orderBy('proposedAt', 'desc')
    .executeTakeFirst();
  if (who.role !== 'admin' || row === undefined) return NOTHING;
  const answer = await decideWithdrawal(services, who, { id: row.id, decision, key: undefined });
  if (!answer.decided) return NOTHING;
  if (decision === 'propose-lift') ground.openLift = { by: who.personId, at: services.now() };
  await applyAll(services);
  if (decision !== 'confirm-lift' || openLift === undefined) return NOTHING;
  ground.openLift = undefined;
  liftRemoved(ground);
  return { do: 'confirm lift', by: who.personId, proposal: openLift };
}

/** A lift reaches removed trucks too. */
function liftRemoved({ removedAt, best }: Ground): void {
  for (const id of removedAt.keys()) removedAt.set(id, best.get(id) ?? '');
}

async function decideRemovals(ground: Ground, { who, nth }: Doing, decision: 'confirm' | 'refuse'): Promise<Deed> {
  const { services, people } = ground;
  const open = await listRemovals(services.db);
  const removal = open[nth % Math.max(1, open.length)];
  if (who.role !== 'admin' || removal === undefined) return NOTHING;
  const answer = await decideRemoval(services, who, { id: removal.id, decision, key: undefined });
  const removed = people.get(removal.personId);
  if (!answer.decided || removed?.removal == null) return NOTHING;
  const proposal = removed.removal;
  if (decision === 'refuse') {
    removed.removal = null;
    return NOTHING;
  }
  return { do: 'confirm removal', by: who.personId, of: removal.personId, proposal };
}

export const IN_OFFICE = {
  'loosen the rules': (ground: Ground, doing: Doing) =>
    changeRules(ground, doing, { ...LOOSER[doing.nth % LOOSER.length] }),
  'tighten the rules': (ground: Ground, doing: Doing) =>
    changeRules(ground, doing, { ...TIGHTER[doing.nth % TIGHTER.length] }),
  async 'confirm the rules'(ground: Ground, { who }: Doing): Promise<Deed> {
    const { services, openRules } = ground;
    const proposal = await findProposal(services.db);
    if (who.role !== 'admin' || proposal === undefined || openRules === undefined) return NOTHING;
    const { confirmed } = await confirmProposal(services, who, { id: proposal.id, key: undefined });
    if (!confirmed) return NOTHING;
    ground.openRules = undefined;
    return { do: 'confirm rules', by: who.personId, proposal: openRules };
  },
  async 'withdraw the bridge'(ground: Ground, { who }: Doing): Promise<Deed> {
    if (who.role !== 'admin') return NOTHING;
    const span = { fromOn: addDays(today(ground), -400), toOn: today(ground) };
    const proposal = { ...span, reason: 'out of tolerance', note: '' } as const;
    await proposeWithdrawal(ground.services, who, { referenceId: ground.bridge.id, ...proposal, key: undefined });
    await applyAll(ground.services);
    return NOTHING;
  },
  'confirm the withdrawal': (ground: Ground, doing: Doing) => aboutWithdrawal(ground, doing, 'confirm'),
  'propose the lift': (ground: Ground, doing: Doing) => aboutWithdrawal(ground, doing, 'propose-lift'),
  'confirm the lift': (ground: Ground, doing: Doing) => aboutWithdrawal(ground, doing, 'confirm-lift'),
  async 'add an admin'(ground: Ground, { who }: Doing): Promise<Deed> {
    if (who.role !== 'admin' || ground.actors.length > 6) return NOTHING;
    const email = `new${ground.actors.length}@site.example`;
    const { added } = await addAdmin(ground.services, who, { input: adminInput(email), key: undefined });
    if (added) await comesIn(ground, email, who);
    return NOTHING;
  },
  async 'let a technician in'(ground: Ground, { who }: Doing): Promise<Deed> {
    if (who.role !== 'admin' || ground.actors.length > 6) return NOTHING;
    const { services } = ground;
    const email = `new${ground.actors.length}@scales.example`;
    await requestRegistration(services, '192.0.2.7', { input: applicationOf(email), key: undefined });
    const { approved } = await approveApplication(services, who, { email, first: { by: 'link' }, key: undefined });
    if (approved) await comesIn(ground, email, who);
    return NOTHING;
  },
  async 'remove an admin'({ services, people }: Ground, { who, nth }: Doing): Promise<Deed> {
    const admins = [...people.values()].filter(({ isAdmin, removal }) => isAdmin && removal === null);
    const target = admins[nth % Math.max(1, admins.length)];
    if (who.role !== 'admin' || target === undefined) return NOTHING;
    const { removed } = await removeAdmin(services, who, { email: target.email });
    if (removed) target.removal = { by: who.personId, at: services.now(), stands: false };
    return NOTHING;
  },
  'confirm a removal': (ground: Ground, doing: Doing) => decideRemovals(ground, doing, 'confirm'),
  'take a removal back': (ground: Ground, doing: Doing) => decideRemovals(ground, doing, 'refuse'),
  async 'let time pass'(ground: Ground, { nth }: Doing): Promise<Deed> {
    const { services, people, openLift } = ground;
    const days = [1, 3, 8, 30, 95][nth % 5] ?? 1;
    services.setNow(new Date(services.now().getTime() + days * DAY_MS).toISOString());
    for (const { removal } of people.values())
      if (removal !== null && services.now().getTime() - removal.at.getTime() >= 7 * DAY_MS) removal.stands = true;
    await endDueRemovals(services);
    while ((await closeExpired(services.db, { now: services.now(), zone: services.config.timeZone })) > 0);
    await enterDueProposal(services);
    await liftDue(services);
    await applyAll(services);
    if (openLift !== undefined) liftRemoved(ground);
    return { do: 'time' };
  },
};
