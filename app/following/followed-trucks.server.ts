// What a follower knows of the trucks, and what is new about them.
import { inThreadTurn } from '#app/platform/process/few-at-once.server.ts';
import { plainText } from '#app/platform/process/typed-text.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { answerList, needleOf } from '#app/check-list/answer-list.server.ts';
import { ANSWER_KINDS, kindOf } from '#app/check-list/answer-words.ts';
import type { GivenLine, LineAnswer } from '#app/check-list/line-answer.ts';
import { readList } from '#app/check-list/read-list.server.ts';
import type { ToldTruck } from '#database/follower-tables.ts';
import { dayReached } from './follower.ts';
import type { FollowedState } from './judge-followed.server.ts';

/** By what a list names a truck: a rego or a VIN, in capitals and without spaces, but for a state. */
export type ToldTrucks = Record<string, ToldTruck>;
type DueTruck = { name: string; dueOn: string; days: number };
/** `due`: what falls due within so many days. */
export type News = { changed: { name: string; before: ToldTruck; now: ToldTruck }[]; due: DueTruck[] };

/** The lines that name a truck, each truck once, as a list of their own. */
export const namesOf = (lines: readonly GivenLine[]): string => [...new Set(lines.flatMap(nameOf))].join('\n');

// A state stays as it was typed: only the registry can tell whether it is part of the plate.
function nameOf(line: GivenLine): string | [] {
  const { needle, without } = needleOf(line);
  return without === undefined ? (needle ?? []) : plainText(line.text).replaceAll(/\s+/g, ' ').trim().toUpperCase();
}

/** The `namesOf` a list, or why it cannot be followed. */
export async function readNames(list: string): Promise<{ ok: true; names: string } | { ok: false; message: string }> {
  const read = await inThreadTurn(async () => readList(list));
  if (!read.ok) return read;
  const names = await inThreadTurn(async () => namesOf(read.lines));
  return names === '' ? { ok: false, message: 'No line of the list can be a rego or a VIN.' } : { ok: true, names };
}

/** What the registry says of each on `today`. `list`: from `namesOf`. */
export async function lookAtTrucks(db: Db, list: string, today: string): Promise<ToldTrucks> {
  const lines = list.split('\n').map((text, place) => ({ number: place + 1, text, isHeading: false }));
  const trucks: ToldTrucks = {};
  for await (const batch of answerList(db, lines, today))
    for (const answer of batch)
      // A second line of the same truck would be news twice.
      if (!('sameAs' in answer) || answer.sameAs === null) trucks[answer.asked] = stateOf(answer);
  return trucks;
}

function stateOf(answer: LineAnswer): ToldTruck {
  if (answer.kind === 'several') return { state: 'Several matches', dueOn: null };
  if (answer.kind !== 'found') return { state: 'Not in the registry', dueOn: null };
  const kind = kindOf(answer);
  return { state: ANSWER_KINDS.find((one) => one.kind === kind)?.word ?? kind, dueOn: answer.dueOn };
}

export const toldOf = ({ rego, word, nextDueOn }: FollowedState): ToldTrucks => ({
  [rego]: { state: word, dueOn: nextDueOn },
});

/** What is new on `today` since the day `since`, which was told. A truck that was not told of before is not new. */
export function newsOf(
  told: ToldTrucks,
  found: ToldTrucks,
  { daysBefore, ...time }: { since: string; today: string; daysBefore: readonly number[] },
): News {
  const news: News = { changed: [], due: [] };
  for (const [name, now] of Object.entries(found)) {
    const before = told[name];
    if (before !== undefined && (before.state !== now.state || before.dueOn !== now.dueOn))
      news.changed.push({ name, before, now });
    const days = dayReached(now.dueOn, daysBefore, time);
    if (days !== undefined && now.dueOn !== null) news.due.push({ name, dueOn: now.dueOn, days });
  }
  return news;
}
