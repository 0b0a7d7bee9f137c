// What the follower of a list knows of its trucks, and what is new about them.
import type { Db } from '#app/platform/database/database.server.ts';
import { addDays, formatDay } from '#app/platform/time/calendar.ts';
import { answerList, needleOf } from '#app/check-list/answer-list.server.ts';
import { ANSWER_KINDS, kindOf } from '#app/check-list/answer-words.ts';
import type { GivenLine, LineAnswer } from '#app/check-list/line-answer.ts';
import { inReadingTurn, readList } from '#app/check-list/read-list.server.ts';
import type { ToldTruck } from '#database/follower-tables.ts';

/** By what the list names a truck: a rego or a VIN, in capitals and without spaces. */
export type WatchedTrucks = Record<string, ToldTruck>;
/** `changed`: each with what it was. `in30`, `in14`: what falls due in so many days. */
export type News = { changed: string[]; in30: string[]; in14: string[] };

const DAYS_BEFORE = { in30: 30, in14: 14 } as const;

/** The lines that name a truck, each truck once, as a list of their own. */
export const namesOf = (lines: readonly GivenLine[]): string =>
  [...new Set(lines.flatMap((line) => needleOf(line).needle ?? []))].join('\n');

/** The `namesOf` a list, or why it cannot be followed. */
export async function readNames(list: string): Promise<{ ok: true; names: string } | { ok: false; message: string }> {
  const read = await inReadingTurn(async () => readList(list));
  if (!read.ok) return read;
  const names = await inReadingTurn(async () => namesOf(read.lines));
  return names === '' ? { ok: false, message: 'No line of the list can be a rego or a VIN.' } : { ok: true, names };
}

/** What the registry says of each on `today`. `list`: from `namesOf`. */
export async function lookAtTrucks(db: Db, list: string, today: string): Promise<WatchedTrucks> {
  const lines = list.split('\n').map((text, place) => ({ number: place + 1, text, isHeading: false }));
  const trucks: WatchedTrucks = {};
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

/** What is new on `today` since the day `since`, which was told. A truck that was not told of before is not new. */
export function newsOf(
  told: WatchedTrucks,
  found: WatchedTrucks,
  { since, today }: { since: string; today: string },
): News {
  const news: News = { changed: [], in30: [], in14: [] };
  for (const [name, now] of Object.entries(found)) {
    const before = told[name];
    if (before !== undefined && (before.state !== now.state || before.dueOn !== now.dueOn))
      news.changed.push(`${name}: ${now.state}${dueWords(now)} (before: ${before.state}${dueWords(before)})`);
    if (now.dueOn === null) continue;
    for (const [occasion, days] of [
      ['in14', DAYS_BEFORE.in14],
      ['in30', DAYS_BEFORE.in30],
    ] as const) {
      const day = addDays(now.dueOn, -days);
      if (day <= since || day > today || today > now.dueOn) continue;
      news[occasion].push(`${name}: due on ${formatDay(now.dueOn)}`);
      // Of two that were missed meanwhile, only the nearer one.
      break;
    }
  }
  return news;
}

const dueWords = ({ dueOn }: ToldTruck): string => (dueOn === null ? '' : `, due on ${formatDay(dueOn)}`);

export const isNews = ({ changed, in30, in14 }: News): boolean => changed.length + in30.length + in14.length > 0;
