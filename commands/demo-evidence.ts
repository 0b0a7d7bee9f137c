// What the demo has beside its import: a register of weighbridges, a fleet's year, visits in every state, and a recall. All of
// it is recorded by the product's own writes, in the names of the demo's people, at the moment of the first start.
import type { SignedIn } from '#app/access/session.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { todayIn, addDays } from '#app/platform/time/calendar.ts';
import { applyWithdrawals } from '#app/recalls/apply-withdrawals.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/recalls/decide-withdrawal.server.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { addRepair } from '#app/references/add-repair.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import { referenceSchema } from '#app/references/reference-entry.ts';
import {
  DANIEL,
  DEMO_SINGLES,
  DEMO_STORIES,
  DEMO_WITHDRAWAL,
  MIA,
  type DemoStory,
} from '#database/demo/demo-stories.ts';
import { DEMO_WEIGHBRIDGES, verificationsOf, WITHDRAWN } from '#database/demo/demo-weighbridges.ts';
import { addFleet } from './demo-fleet.ts';
import { findTruck, recordOneByOne, setOf } from './demo-readings.ts';
import { keyOf, signedIn, uploadPhoto, type Demo, type Register } from './demo-writes.ts';

/**
 * Fills the demo, once. The withdrawal comes last: where it is applied, nothing is left to do. Cut off, it is run again;
 * within the day each write then has its effect once, as it carries an idempotency key of its own.
 */
export async function addEvidence(demo: Demo): Promise<void> {
  const { db, now } = demo;
  const filled = await db
    .selectFrom('referenceWithdrawal')
    .select('id')
    .where('appliedAt', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (filled !== undefined) return;
  const register = await addWeighbridges(demo, await signedIn(demo, MIA));
  process.stdout.write(
    'Recording a year of invented visits. This takes about a quarter of a minute, at the first start only.\n',
  );
  await addFleet(demo, register);
  for (const story of DEMO_STORIES) await tell(demo, register, story);
  for (const { rego, by, axles } of DEMO_SINGLES) {
    const key = (place: string) => keyOf(rego, place);
    await recordOneByOne(demo, await signedIn(demo, by), rego, { axles, key });
  }
  await recall(demo, register.get(WITHDRAWN)?.id ?? '');
  await applyWithdrawals(db, { now, isLost: () => false });
}

async function addWeighbridges(demo: Demo, mia: SignedIn): Promise<Register> {
  const { db, config, now } = demo;
  const today = todayIn(config.timeZone, now());
  const register = new Map<string, { id: string; line: string }>();
  for (const weighbridge of DEMO_WEIGHBRIDGES) {
    const { verified: _verified, repaired, ...entered } = weighbridge;
    const { name } = weighbridge;
    const { id } = await addReference(db, mia, referenceSchema.parse(entered), keyOf(name, 'added'));
    for (const period of verificationsOf(weighbridge, today))
      await addVerification(demo, mia, id, period, { file: '', key: keyOf(name, 'verification') });
    if (repaired !== undefined) {
      const repair = { on: addDays(today, -repaired.daysAgo), note: repaired.note };
      await addRepair(db, mia, id, repair, keyOf(name, 'repair'));
    }
    register.set(name, { id, line: referenceLine(weighbridge) });
  }
  return register;
}

async function tell(demo: Demo, register: Register, story: DemoStory): Promise<void> {
  const { rego, decided } = story;
  const who = await signedIn(demo, story.by);
  const truck = await findTruck(demo, rego);
  const input = setOf(demo, truck, story, register.get(story.weighbridge ?? ''));
  const photos = story.photo === undefined ? [] : [await uploadPhoto(demo, who, story.photo)];
  const recorded = await recordCalibrationSet(demo, who, rego, input, { photos, key: keyOf(rego, 'visit') });
  if (!recorded.recorded) throw new Error(`the demo's visit of ${rego} was refused: ${recorded.reason}`);
  if (decided === undefined) return;
  const decision = { ...decided, openedState: recorded.state };
  const key = keyOf(rego, 'decision');
  const admin = await signedIn(demo, decided.by);
  const answer = await decideVisit(demo.db, admin, recorded.setId, decision, { now: demo.now(), key });
  if (!answer.decided) throw new Error(`the demo's decision about ${rego} was refused: ${answer.reason}`);
}

async function recall(demo: Demo, weighbridge: string): Promise<void> {
  const today = todayIn(demo.config.timeZone, demo.now());
  const { fromDaysAgo, toDaysAgo, note } = DEMO_WITHDRAWAL;
  const days = { fromOn: addDays(today, -fromDaysAgo), toOn: addDays(today, -toDaysAgo) };
  const proposal = { ...days, reason: 'out of tolerance', note } as const;
  const mia = await signedIn(demo, MIA);
  const proposed = await proposeWithdrawal(demo, mia, weighbridge, proposal, keyOf(WITHDRAWN, 'proposed'));
  if (!proposed.proposed) throw new Error(`the demo's withdrawal was refused: ${proposed.reason}`);
  const daniel = await signedIn(demo, DANIEL);
  const confirmed = await decideWithdrawal(demo, daniel, proposed.id, 'confirm', keyOf(WITHDRAWN, 'confirmed'));
  if (!confirmed.decided) throw new Error(`the demo's withdrawal was not confirmed: ${confirmed.reason}`);
}
