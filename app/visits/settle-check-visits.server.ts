// What a visit does to the check visits of its truck, after it closed, was corrected or decided about. The first
// complete visit of somebody else closes the one that is wanted; once it is set aside, or incomplete by a correction,
// the check visit is wanted again. A visit that begins to count may be drawn for one. Nothing here moves a verdict.
import type { Tx } from '#app/platform/database/database.server.ts';
import type { CheckVisitResult } from '#app/check-visits/check-visit.ts';
import { isDrawn } from '#app/check-visits/draw-check-visit.server.ts';
import {
  closeCheckVisit,
  endCheckVisit,
  reopenCheckVisit,
  wantCheckVisit,
  type By,
  type Entered,
} from '#app/check-visits/enter-check-visit.server.ts';
import { isNobodyNear } from '#app/check-visits/is-nobody-near.server.ts';
import { checkVisitsToSettle, openCheckVisit, type CheckVisitRow } from '#app/check-visits/queries.server.ts';
import type { CheckName, Policy } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import type { Tolerance } from '#app/readings/agreement.ts';
import { judgeAgreement, lineOf } from './agrees-check.ts';
import { historyToJudge, type JudgedHistory } from '#app/readings/queries.server.ts';
import { partsIn } from './parts-in-visit.server.ts';
import type { VisitAxle } from './visit-facts.ts';
import { axlesOfVisit } from './visit-facts.server.ts';
import { checksOf, findVisit, type VisitRow } from './visit-queries.server.ts';

type Truck = Pick<Vehicle, 'id' | 'rego'>;

/** A visit that was written: as it was, and as it is. `inForce`: the policy, if the caller has read it. */
type Moved = { before: VisitRow; visit: VisitRow; inForce?: Policy | undefined };

/** Of a locked truck, after its visit was written. The caller appends what this returns. */
export async function settleCheckVisits(
  tx: Tx,
  vehicle: Truck,
  { moved, now }: { moved: Moved; now: Date },
): Promise<Entered[]> {
  const { visit } = moved;
  // The visits of an import are of other times, and were not made here.
  if (visit.origin === 'imported') return [];
  const by: By = { actorId: null, now };
  const rows = await checkVisitsToSettle(tx, vehicle.id);
  const settled: Entered[] = [];
  if (rows.length > 0) {
    const judged = { history: await historyToJudge(tx, vehicle.id), tolerance: await currentPolicy(tx) };
    for (const row of rows) settled.push(...(await settle(tx, vehicle, { row, visit, judging: judged, by })));
  }
  return [...settled, ...(await draw(tx, vehicle, { ...moved, by }))];
}

type Judging = { history: JudgedHistory; tolerance: Tolerance };

async function settle(
  tx: Tx,
  vehicle: Truck,
  { row, visit, judging, by }: { row: CheckVisitRow; visit: VisitRow; judging: Judging; by: By },
): Promise<Entered[]> {
  const isOpen = row.state === 'open';
  // A visit that ended before somebody asked is no answer, whatever is corrected in it since.
  const isAfter = visit.closedAt !== null && visit.closedAt >= row.askedAt;
  const concerns = isOpen ? isAfter && row.visitId !== visit.id : [row.visitId, row.closedBy].includes(visit.id);
  if (!concerns) return [];
  const checked = row.visitId === visit.id ? visit : await findVisit(tx, row.visitId);
  const closing = isOpen || row.closedBy === visit.id ? visit : await findVisit(tx, row.closedBy ?? '');
  if (checked === undefined || closing === undefined) throw new Error('a visit of a check visit is gone');
  if (await mayClose(tx, closing, checked)) {
    const result = resultOf(checked, closing, judging);
    return result === row.result ? [] : [await closeCheckVisit(tx, vehicle, { row, closedBy: closing.id, result, by })];
  }
  if (isOpen) return [];
  const other = await openCheckVisit(tx, vehicle.id);
  return [
    other === undefined
      ? await reopenCheckVisit(tx, vehicle, { row, by })
      : await endCheckVisit(tx, vehicle, { row, state: 'withdrawn', by }),
  ];
}

// Without these a visit that waits is no weighing of this truck by somebody who may: a copy of the readings would agree
// best. An admin may accept it.
const WEIGHED: readonly CheckName[] = ['truck', 'plausible', 'standing'];

function isWeighing({ state, checks: stored }: VisitRow): boolean {
  const checks = checksOf(stored);
  const isComplete = checks.some(({ check, answer }) => check === 'complete' && answer === 'passed');
  if (!isComplete || state === 'set-aside' || state === 'partial') return false;
  return state === 'accepted' || checks.every(({ check, answer }) => !WEIGHED.includes(check) || answer === 'passed');
}

/**
 * Whether `closing` checks the other: a complete weighing, not before it, by other people, who sent or captured it. Who
 * corrected one of the two has not weighed as somebody else. It may wait, as one that disagrees with the lines before
 * does.
 */
async function mayClose(tx: Tx, closing: VisitRow, checked: VisitRow): Promise<boolean> {
  if (!isWeighing(closing) || closing.visitedAt < checked.visitedAt || closing.personId === null) return false;
  const others = await partsIn(tx, checked);
  return (await partsIn(tx, closing)).every(({ personId, isRecorder }) =>
    others.every((other) => other.personId !== personId || !(isRecorder || other.isRecorder)),
  );
}

/** By the check 'agrees', with the checked visit as the only one before. Agreement takes every axle group of it. */
function resultOf(checked: VisitRow, closing: VisitRow, { history, tolerance }: Judging): CheckVisitResult {
  const before = axlesOf(checked, history);
  const axles = axlesOf(closing, history).flatMap((axle) => {
    const line = lineOf(before.find((one) => one.axle === axle.axle)?.readings ?? {});
    return line === undefined ? [] : [{ ...axle, before: [{ line, on: checked.visitedOn }] }];
  });
  const [answer, , numbers] = judgeAgreement(axles, tolerance);
  if (answer === 'failed') return 'disagrees';
  return answer === 'passed' && numbers?.agreeing === before.length ? 'agrees' : 'cannot be told';
}

function axlesOf({ id }: VisitRow, { readings, sets }: JudgedHistory): VisitAxle[] {
  const own = readings.filter(({ visitId, supersededBy }) => visitId === id && supersededBy === null);
  return axlesOfVisit(own, sets.find((one) => one.id === id)?.axles);
}

const counts = ({ state, beforeRecall }: VisitRow): boolean =>
  state === 'counts' || state === 'accepted' || beforeRecall !== null;

// By the share of the policy in force now, whatever the visit was held against. Where nobody else is near it lapses at
// once. A truck has one at a time, and a removed one, on which a visit may still end by itself, none.
async function draw(tx: Tx, vehicle: Truck, { before, visit, inForce, by }: { by: By } & Moved): Promise<Entered[]> {
  if (counts(before) || !counts(visit)) return [];
  if (!isDrawn((inForce ?? (await currentPolicy(tx))).checkVisitsPerMille)) return [];
  const live = tx.selectFrom('vehicle').select('id').where('id', '=', vehicle.id).where('deletedAt', 'is', null);
  if ((await live.executeTakeFirst()) === undefined) return [];
  if ((await openCheckVisit(tx, vehicle.id)) !== undefined) return [];
  const { referenceId, personId } = visit;
  if (!(await isNobodyNear(tx, { referenceId, personId, now: by.now })))
    return [await wantCheckVisit(tx, vehicle, { visitId: visit.id, by })];
  const wanted = await wantCheckVisit(tx, vehicle, { visitId: visit.id, note: 'Nobody near.', by });
  const row = await openCheckVisit(tx, vehicle.id);
  return row === undefined ? [wanted] : [wanted, await endCheckVisit(tx, vehicle, { row, state: 'lapsed', by })];
}
