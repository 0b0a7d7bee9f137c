// A combination in words: the sentence why, what is said of each unit, and the lines that do not hold.
import { answerWords, type AnswerWords } from '#app/check-list/answer-words.ts';
import { daysBetween, formatDay } from '#app/platform/time/calendar.ts';
import { counted } from '#app/ui/counted.ts';
import { axleLabel, kindWord } from '#app/vehicles/axle.ts';
import { isTruck, labelOf, worstOf, type JudgedUnit, type NotHeld } from './combination.ts';

/** `today`: the day in the registry's zone; `dayOf`: that of an instant. */
export type Moment = { today: string; dayOf: (instant: Date) => string };

// What the truck reads, and has no record, is a trailer of it.
function kindOf({ record, readBy }: JudgedUnit): string | undefined {
  if (record !== null) return kindWord(record.kind);
  return readBy === null ? undefined : kindWord('trailer');
}

/** 'Trailer T12345'; 'T12345' where it has no record. */
const nameOf = (unit: JudgedUnit): string => {
  const kind = kindOf(unit);
  return kind === undefined ? unit.rego : `${kind} ${unit.rego}`;
};

/** '1 · Truck, in front' */
export function placeOf(unit: JudgedUnit, place: number): string {
  const kind = kindOf(unit) ?? 'Not known';
  return `${place + 1} · ${kind}${place === 0 && isTruck(unit) ? ', in front' : ''}`;
}

/** Why the word is what it is. */
export function sentenceOf(units: readonly JudgedUnit[], { today, dayOf }: Moment): string {
  const unit = worstOf(units);
  if (unit === undefined) return '';
  const name = nameOf(unit);
  const { dueOn, answer } = unit;
  const away = dueOn === null ? 0 : daysBetween(today, dueOn);
  const days = counted(Math.abs(away), 'day', 'days');
  const on = dueOn === null ? '' : `on ${formatDay(dueOn)}`;
  switch (unit.word) {
    case 'overdue':
      return `Not valid today. ${name} was due ${on}, ${days} ago.`;
    case 'never-calibrated':
      return `Not valid today. No calibration has been recorded for ${uncapital(name)}.`;
    case 'not-validated':
      return `Not valid today. ${name}: ${uncapital(answer.kind === 'found' ? answer.restsOn : '')}.`;
    case 'no-answer':
      return `${whyNot(unit, dayOf)}${units.length > 1 ? `, so nothing can be said of all ${units.length}` : ''}.`;
    case 'due-soon':
      return `Valid today. ${name} is due ${['today', 'tomorrow'][away] ?? `${on}, in ${days}`}.`;
    case 'valid': {
      const all = units.length === 1 ? `${name} is valid today.` : `All ${units.length} units are valid today.`;
      if (dueOn === null) return `${all} No due date is recorded.`;
      return `${all} ${units.length === 1 ? 'It' : 'The first'} is due ${on}, in ${days}.`;
    }
  }
}

const uncapital = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

// Without a full stop.
function whyNot(unit: JudgedUnit, dayOf: Moment['dayOf']): string {
  const { answer, rego } = unit;
  if (unit.unnamedBy !== null) return unnamedWords(unit);
  switch (answer.kind) {
    case 'found':
      return `What is stored of ${uncapital(nameOf(unit))} is not what was logged`;
    case 'several':
      return `${answer.asked} is not one vehicle here`;
    case 'not-found':
      return answer.removedAt === null
        ? `${rego} is not in this registry`
        : `${rego} was removed from this registry on ${formatDay(dayOf(answer.removedAt))}`;
    case 'unreadable':
      return `${answer.asked} cannot be read`;
    default:
      return `Unit ${answer.number} is empty`;
  }
}

const unnamedWords = ({ rego, unnamedBy }: JudgedUnit): string =>
  `${rego} has no unit of its own, and ${
    unnamedBy === '' ? 'no truck that could read it is among these' : `${unnamedBy}’s last visit does not name it`
  }`;

/** What stands beside the plate, and below it. `regos` are links, between `before` and `after`. */
export type UnitWords = Pick<AnswerWords, 'before' | 'regos' | 'after'> & { badge: string; due: string };

export function unitWords(unit: JudgedUnit, { today, dayOf }: Moment): UnitWords {
  const { answer, word, dueOn, readBy, unnamedBy } = unit;
  const said = answerWords(answer, dayOf);
  const due = dueOn === null ? '' : `${dueOn < today ? 'Was due' : 'Due'} ${formatDay(dueOn)}`;
  const plain = (badge: string, before: string): UnitWords => ({ badge, due, before, regos: [], after: '' });
  if (readBy !== null) return plain(labelOf(word), `Read by ${readBy}’s unit.`);
  if (unnamedBy !== null) return plain('No answer', `${unnamedWords(unit)}.`);
  if (answer.kind === 'found') return plain(said.answer, `${said.before}.`);
  const { regos, after } = said;
  if (answer.kind === 'several') {
    // By a part of its rego or VIN, or by a VIN that several have.
    const before = `Several could be meant: enter the whole rego of one. ${said.before}`;
    return { ...plain('Several matches', before), regos, after };
  }
  return { ...plain(said.answer, regos.length === 0 ? `${said.before}.` : said.before), regos, after };
}

/** 'One line does not hold here.', and which; null: all hold. */
export function notHeldWords(lines: readonly NotHeld[]): { lead: string; rest: string } | null {
  if (lines.length === 0) return null;
  const one = ({ group, truck, with: before, instead }: NotHeld) =>
    `${axleLabel(group)} of ${truck} was taken with ${before}, not with ${instead}.`;
  const lead = lines.length === 1 ? 'One line does not hold here.' : `${lines.length} lines do not hold here.`;
  return { lead, rest: lines.map(one).join(' ') };
}
