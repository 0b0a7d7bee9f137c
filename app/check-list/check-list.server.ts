// What the page of many trucks shows of a list: how many lines have which answer, and one page of the answers.
//
// The list, and one letter for each answer, travel in the page's form: nothing is stored here, and another page of the
// answers looks up only its own lines.
import { hash } from 'node:crypto';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { logHead } from '#app/transparency-log/log-page.server.ts';
import type { AskedDay } from './asked-day.server.ts';
import { answerList } from './answer-list.server.ts';
import { ANSWER_KINDS, answerWords, kindOf, type AnswerKind } from './answer-words.ts';
import type { CheckedList, ShownAnswer } from './checked-list.ts';
import type { GivenLine, LineAnswer } from './line-answer.ts';
import { countAsked } from './read-list.server.ts';

export const LINES_PER_PAGE = 200;

export type AskedPart = { show: string; page: number; told: string; day: AskedDay };

/** A line's answer, told before: its letter, and the first line with the same truck. */
type Told = { kind: AnswerKind; sameAs: number | null };

/** `cost`: the lines that were looked up. */
export async function checkList(
  { db, config }: Pick<Services, 'db' | 'config'>,
  lines: readonly GivenLine[],
  asked: AskedPart,
): Promise<CheckedList> {
  const zone = config.timeZone;
  const { on, at: today, words } = asked.day;
  const known = readTold(lines, asked);
  const answers = known === undefined ? await allAnswers(db, lines, today) : undefined;
  const told =
    known ??
    answers?.map((answer): Told => ({ kind: kindOf(answer), sameAs: 'sameAs' in answer ? answer.sameAs : null })) ??
    [];
  const show = ANSWER_KINDS.find(({ kind }) => kind === asked.show)?.kind ?? 'all';
  const isAsked = (place: number) => lines[place]?.isHeading !== true;
  const places = told.flatMap(({ kind }, place) =>
    show === 'all' || (kind === show && isAsked(place)) ? [place] : [],
  );
  const pages = Math.max(1, Math.ceil(places.length / LINES_PER_PAGE));
  const page = Math.min(Math.max(1, asked.page), pages);
  const shown = places.slice((page - 1) * LINES_PER_PAGE, page * LINES_PER_PAGE);
  const shownOf = <T>(all: readonly T[]) => shown.flatMap((place) => all[place] ?? []);
  const found = answers === undefined ? await allAnswers(db, shownOf(lines), today) : shownOf(answers);
  const of = on === '' ? 'today' : 'past';
  const rows = found.map((answer, nth) => present(withSame(answer, told[shown[nth] ?? 0]), zone, of));
  return {
    asAt: words,
    on,
    total: countAsked(lines),
    counts: ANSWER_KINDS.map(({ kind, word }) => ({
      kind,
      word,
      count: told.filter((one, place) => one.kind === kind && isAsked(place)).length,
    })),
    show,
    page,
    pages,
    shownTotal: places.length,
    rows,
    log: await logHead(config),
    told: formatTold(lines, told, on),
  };
}

/** How many lines `checkList` will look up. */
export const costOf = (lines: readonly GivenLine[], asked: Pick<AskedPart, 'told' | 'day'>): number =>
  readTold(lines, asked) === undefined ? countAsked(lines) : Math.min(lines.length, LINES_PER_PAGE);

/** What `answerList` gives in batches. */
export async function allAnswers(
  db: Db,
  lines: readonly GivenLine[],
  today: Parameters<typeof answerList>[2],
): Promise<LineAnswer[]> {
  const answers: LineAnswer[] = [];
  for await (const batch of answerList(db, lines, today)) answers.push(...batch);
  return answers;
}

// The lines before are not among those of a later page.
const withSame = (answer: LineAnswer, told: Told | undefined): LineAnswer =>
  answer.kind === 'found' ? { ...answer, sameAs: told?.sameAs ?? null } : answer;

function present(answer: LineAnswer, zone: string, of: 'past' | 'today'): ShownAnswer {
  const found = answer.kind === 'found' ? answer : undefined;
  const words = answerWords(answer, (instant) => todayIn(zone, instant));
  // A colour is today's verdict, and a link leads to it.
  const today = of === 'today' ? found : undefined;
  return {
    ...words,
    answer: of === 'past' && found !== undefined ? `It said “${words.answer}”` : words.answer,
    number: answer.number,
    asked: answer.asked,
    rego: today?.rego ?? null,
    verdict: today?.verdict ?? null,
    matchesLog: found?.matchesLog ?? true,
  };
}

const nameOf = (lines: readonly GivenLine[], on: string): string =>
  hash('sha256', JSON.stringify([on, ...lines.map(({ text }) => text)]), 'base64url').slice(0, 16);

const formatTold = (lines: readonly GivenLine[], told: readonly Told[], on: string): string =>
  [
    nameOf(lines, on),
    ...told.map(({ kind, sameAs }) => `${ANSWER_KINDS.find((one) => one.kind === kind)?.letter ?? 'x'}${sameAs ?? ''}`),
  ].join(' ');

// Undefined: it is of another list, or was not made here. Anybody who invents one deceives only themselves: each row is
// looked up.
function readTold(lines: readonly GivenLine[], asked: Pick<AskedPart, 'told' | 'day'>): Told[] | undefined {
  const [name, ...letters] = asked.told.split(' ');
  if (letters.length !== lines.length || name !== nameOf(lines, asked.day.on)) return undefined;
  const told = letters.map((one): Told | undefined => {
    const kind = ANSWER_KINDS.find(({ letter }) => letter === one.charAt(0))?.kind;
    const sameAs = one.slice(1);
    if (kind === undefined || !/^\d{0,7}$/.test(sameAs)) return undefined;
    return { kind, sameAs: sameAs === '' ? null : Number(sameAs) };
  });
  return told.every((one) => one !== undefined) ? told : undefined;
}
