// What the page of a withdrawal shows admins.
import { sql } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { stateWord, VISIT_STATES } from '#app/visits/visit.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, formatInstant } from '#app/platform/time/calendar.ts';
import { addedAfter } from '#app/people/newcomer.ts';
import { addedDaysAt, hasOtherAdmin, noticeEnds } from '#app/people/two-people.server.ts';
import { findReference } from '#app/references/queries.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import {
  spanWords,
  withdrawalReasonWords,
  withdrawalState,
  withdrawnSentence,
  type WithdrawalState,
} from '#app/references/withdrawal.ts';
import type { Withdrawal } from '#app/references/withdrawal-queries.server.ts';
import { nearVisits } from './preview-withdrawal.server.ts';

export type WithdrawalPage = Awaited<ReturnType<typeof withdrawalPage>>;

export async function withdrawalPage(
  { db, config }: Pick<Services, 'db' | 'config'>,
  who: SignedIn,
  withdrawal: Withdrawal,
) {
  const since = await logSize(db);
  const reference = await findReference(db, withdrawal.referenceId);
  if (reference === undefined) throw new Error('the weighbridge of a withdrawal is gone');
  const state = withdrawalState(withdrawal);
  const isAlone = !(await hasOtherAdmin(db, who.personId));
  const actors = await actorsOf(db, withdrawal);
  const proposer = actors.get((state === 'lift proposed' ? withdrawal.liftProposedBy : withdrawal.proposedBy) ?? 0);
  const zone = config.timeZone;
  const near = await nearVisits(db, reference.id, { ...withdrawal, zone });
  return {
    since,
    idempotencyKey: newIdempotencyKey(),
    id: withdrawal.id,
    referenceId: reference.id,
    line: referenceLine(reference),
    span: spanWords(withdrawal),
    reason: withdrawalReasonWords(withdrawal.reason),
    note: withdrawal.note,
    state,
    // The person proposed what waits for confirmation, and another admin can confirm it.
    isOwn: !isAlone && proposer?.personId === who.personId,
    // No other admin can confirm.
    isAlone,
    // When a lift that no admin of 90 days confirms can take effect; null while none is proposed.
    liftFrom:
      withdrawal.liftProposedAt === null ? null : formatInstant(noticeEnds(withdrawal.liftProposedAt), config.timeZone),
    sentence: withdrawnSentence(withdrawal),
    // Who did what, the latest last.
    steps: stepsOf(withdrawal, actors, zone),
    // How far it or its lift is applied: visits done and all; null while there is nothing to apply.
    progress: await progressOf(db, withdrawal, state),
    near: near.map(({ id, rego, visitedOn, openedAt, state: of }) => ({
      id,
      rego,
      visited: formatDay(visitedOn, 'short'),
      recorded: formatInstant(openedAt, zone),
      state: stateWord(VISIT_STATES.find((one) => one.state === of)?.state ?? 'open'),
    })),
  };
}

type Actor = {
  id: number;
  name: string;
  personId: string;
  daysAtConfirmation: number | null;
  daysAtLift: number | null;
};

async function actorsOf(db: Db, withdrawal: Withdrawal): Promise<Map<number, Actor>> {
  const { proposedBy, droppedBy, confirmedBy, liftProposedBy, liftedBy } = withdrawal;
  const ids = [proposedBy, droppedBy, confirmedBy, liftProposedBy, liftedBy].filter((id) => id !== null);
  const newAt = (at: Date | null) =>
    sql.raw<number | null>(addedDaysAt('actor.person_id', `'${(at ?? new Date(0)).toISOString()}'::timestamptz`));
  const actors = await db
    .selectFrom('actor')
    .select(['id', 'name', 'personId'])
    .select([newAt(withdrawal.confirmedAt).as('daysAtConfirmation'), newAt(withdrawal.liftedAt).as('daysAtLift')])
    .where('id', 'in', ids)
    .execute();
  return new Map(actors.map((actor) => [actor.id, actor]));
}

/** `days`: for how many the person had been an admin, where less than 90. */
type Added = { days?: number | null; more?: string };

function stepsOf(withdrawal: Withdrawal, actors: ReadonlyMap<number, Actor>, zone: string): string[] {
  const step = (
    words: string,
    [by, at]: [by: number | null, at: Date | null],
    { days = null, more = '' }: Added = {},
  ) =>
    at === null
      ? []
      : [`${words} by ${actors.get(by ?? 0)?.name ?? 'N/A'}${addedAfter(days)}, ${formatInstant(at, zone)}${more}`];
  const daysOf = (by: number | null, which: 'daysAtConfirmation' | 'daysAtLift') =>
    actors.get(by ?? 0)?.[which] ?? null;
  const alone = '. Nobody else could look.';
  const { isAlone, isLiftAlone } = withdrawal;
  return [
    ...step('Proposed', [withdrawal.proposedBy, withdrawal.proposedAt]),
    ...step('Dropped', [withdrawal.droppedBy, withdrawal.droppedAt]),
    ...step('Confirmed', [withdrawal.confirmedBy, withdrawal.confirmedAt], {
      days: daysOf(withdrawal.confirmedBy, 'daysAtConfirmation'),
      more: isAlone ? alone : '',
    }),
    ...step('Lift proposed', [withdrawal.liftProposedBy, withdrawal.liftProposedAt]),
    ...step('Lifted', [withdrawal.liftedBy, withdrawal.liftedAt], {
      days: daysOf(withdrawal.liftedBy, 'daysAtLift'),
      more: isLiftAlone ? alone : '',
    }),
  ];
}

async function progressOf(
  db: Db,
  { referenceId, fromOn, toOn, appliedOn, appliedThrough, appliedAt, liftAppliedAt }: Withdrawal,
  state: WithdrawalState,
): Promise<{ done: number; all: number; isDone: boolean } | null> {
  if (state === 'proposed' || state === 'dropped') return null;
  const { rows } = await sql<{ all: number; done: number }>`
    select count(*) as all,
      count(*) filter (where (visited_on, id) <= (${appliedOn}::date, ${appliedThrough}::uuid)) as done
    from visit where reference_id = ${referenceId}::uuid and visited_on between ${fromOn}::date and ${toOn}::date
      and state not in ('open', 'taken-over')`.execute(db);
  const { all = 0, done = 0 } = rows[0] ?? {};
  const isDone = (state === 'lifted' ? liftAppliedAt : appliedAt) !== null;
  return { done: isDone ? all : done, all, isDone };
}
