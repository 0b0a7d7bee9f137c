// Days in a table, as people and spreadsheets write them: day first (14/05/2027, 3/4/27, 14-May-27, 14.5.2027), with
// the month's name, or year first as in ISO 8601. Nothing is swapped: a column with the month first is refused.
import { formatDay, isDay } from './calendar.ts';
import { dayRefusal, NO_DAY } from './entered-day.ts';

/**
 * `order`: 'either' could be read month first too, 'named' in one way only, 'number' is a spreadsheet's own number of a
 * day.
 */
export type TableDay =
  | { ok: true; day: string; order: 'day-first' | 'either' | 'named' | 'number' }
  | { ok: false; order?: 'month-first'; message: string };

const FORMS = 'Day first: a date such as 2026-03-10 or 10/03/2026.';
const NO_SUCH_DAY = `There is no such day. ${FORMS}`;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+/i;
// What a sheet writes behind a day; of an instant with a zone only midnight.
const TIME = /(?:,?\s+|T)\d{1,2}:\d{2}(?::\d{2}(?:\.0+)?)?(?:\s*[ap]\.?m\.?)?$|T00:00(?::00(?:\.0+)?)?Z$/i;
const NUMBERS = /^(\d{1,2})\s*[-/. ]\s*(\d{1,2})\s*[-/. ]\s*(\d{4}|\d{2})$/;
const YEAR_FIRST = /^(\d{4})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{1,2})$/;
const NAMED = /^(\d{1,2})(?:st|nd|rd|th)?[-/., ]*([a-z]{3,9})[-/., ]*'?(\d{4}|\d{2})$/i;
const NAME_FIRST = /^([a-z]{3,9})[-/., ]+(\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\d{4})$/i;
const DAY_NUMBER = /^(\d{5})(?:\.\d+)?$/;
/** As a spreadsheet counts days: 1 January 1970, and from the year 1941 to 2100. */
const [NUMBER_OF_1970, NUMBER_MIN, NUMBER_MAX] = [25_569, 15_000, 73_415];

export function readTableDay(given: string): TableDay {
  const text = given.normalize('NFKC').trim().replace(WEEKDAY, '').replace(TIME, '').trim();
  const [, number] = DAY_NUMBER.exec(text) ?? [];
  if (number !== undefined && Number(number) >= NUMBER_MIN && Number(number) <= NUMBER_MAX)
    return { ok: true, day: dayOfNumber(Number(number)), order: 'number' };
  const iso = YEAR_FIRST.exec(text);
  if (iso !== null) return dayOf([iso[1], iso[3], iso[4]], 'named');
  const named = NAMED.exec(text);
  if (named !== null) return dayOf([named[3], monthOf(named[2]), named[1]], 'named');
  const nameFirst = NAME_FIRST.exec(text);
  if (nameFirst !== null) return dayOf([nameFirst[3], monthOf(nameFirst[1]), nameFirst[2]], 'named');
  const [, day, month, year] = NUMBERS.exec(text) ?? [];
  if (day === undefined) return { ok: false, message: `This is no date. ${FORMS}` };
  if (Number(month) > 12 && dayOf([year, day, month], 'named').ok)
    return { ok: false, order: 'month-first', message: `There is no month ${month}. ${FORMS}` };
  if (Number(day) === Number(month)) return dayOf([year, month, day], 'named');
  return dayOf([year, month, day], Number(day) > 12 ? 'day-first' : 'either');
}

type Order = (TableDay & { ok: true })['order'];
function dayOf([year = '', month = '', day = '']: readonly (string | undefined)[], order: Order): TableDay {
  const iso = `${wholeYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  // A year that is no year of ours has its own sentence where the field is read.
  const isThere = isDay(iso) || (!isDay(`${iso.slice(0, 4)}-01-01`) && dayRefusal(iso) !== NO_DAY);
  return isThere ? { ok: true, day: iso, order } : { ok: false, message: NO_SUCH_DAY };
}

// A sheet shows 2027 as 27.
function wholeYear(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 80 ? `20${year}` : `19${year}`;
}

const monthOf = (name = ''): string => String(MONTHS.findIndex((month) => month.startsWith(name.toLowerCase())) + 1);

const dayOfNumber = (number: number): string =>
  new Date((number - NUMBER_OF_1970) * 86_400_000).toISOString().slice(0, 10);

/** Of a column: a text that can only be month first, and whether another can only be day first. */
export type ColumnOrder = { monthFirst: string | undefined; hasDayFirst: boolean };

export function orderOfColumn(texts: readonly string[]): ColumnOrder {
  const read = texts.map((text) => ({ text, order: text === '' ? undefined : readTableDay(text).order }));
  return {
    monthFirst: read.find(({ order }) => order === 'month-first')?.text,
    hasDayFirst: read.some(({ order }) => order === 'day-first'),
  };
}

/** `question`: why the day is taken only when somebody says so. */
export type ColumnDay = { ok: true; day: string; question?: string } | { ok: false; message: string };

export function readColumnDay(text: string, { monthFirst, hasDayFirst }: ColumnOrder): ColumnDay {
  const read = readTableDay(text);
  if (!read.ok) return { ok: false, message: read.message };
  const { day, order } = read;
  if (order === 'number')
    return { ok: true, day, question: `A bare day number: ${inWords(day)}? Tick to take that day.` };
  if (order !== 'either' || monthFirst === undefined) return { ok: true, day };
  if (!hasDayFirst) return { ok: false, message: `This column has its month first, as in ${monthFirst}. ${FORMS}` };
  return {
    ok: true,
    day,
    question: `Another line has its month first: ${monthFirst}. Tick to take this as ${inWords(day)}.`,
  };
}

const inWords = (day: string): string => (isDay(day) ? formatDay(day) : day);
