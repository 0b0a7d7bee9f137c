// What a spreadsheet makes of a text that it takes for something else. A cell that looks so is never taken in silence.
import { readTableDay } from '#app/platform/time/table-day.ts';

export const MAY_HAVE_CHANGED = 'A spreadsheet may have changed this.';

const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
const DAY_AND_MONTH = new RegExp(`^(?:\\d{1,2}[-/. ]${MONTH}|${MONTH}[-/. ]\\d{2,4})$`, 'i');
const EXPONENT = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{1,3}$/i;
const ERROR = /^(?:#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|#+)|Err:\d{3})$/i;
const YES_OR_NO = /^(?:TRUE|FALSE)$/i;
/** A number has fifteen digits: what follows is gone. */
const SHORTENED = /^[1-9]\d{14}0+$/;
const SEPARATED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d+[.,]0+$/;

/** Of text of any kind: the sentence that says what may have happened; undefined: nothing. */
export function textMark(text: string): string | undefined {
  if (ERROR.test(text)) return 'A sheet shows this in place of a value. Type it again.';
  if (EXPONENT.test(text)) return 'A long number, or one with an E in it. Its digits are gone: type it again.';
  if (YES_OR_NO.test(text)) return 'A sheet turned a word into yes or no.';
  const { order } = readTableDay(text);
  return DAY_AND_MONTH.test(text) || (order !== undefined && order !== 'number') ? LIKE_A_DATE : undefined;
}

const LIKE_A_DATE = 'Text such as 1MAR looks like a date to a spreadsheet.';

/** Of a number or name that must be right in each letter and digit. */
export function identifierMark(text: string): string | undefined {
  const mark = textMark(text);
  if (mark !== undefined) return mark;
  if (SHORTENED.test(text)) return 'A long number. Its last digits are gone: type it again.';
  if (SEPARATED.test(text)) return 'A sheet wrote this as a number. Type it as it stands there.';
  return readTableDay(text).order === 'number' ? 'A sheet keeps a date as such a number.' : undefined;
}

/** Whether `text` is the digits of `stored` without zeros in front. */
export const hasLostZeros = (text: string, stored: string): boolean =>
  /^\d+$/.test(text) && stored.length > text.length && stored === text.padStart(stored.length, '0');

/** What is asked where the registry has `stored`, which is the same number to a spreadsheet. */
export function sameNumberMark(text: string, stored: string): string | undefined {
  if (hasLostZeros(text, stored)) return `The registry has ${stored}. Leading zeros may be lost.`;
  const [given, kept] = [text, stored].map((number) => Number(number.replaceAll(',', '')));
  return text !== stored && text !== '' && stored !== '' && given === kept
    ? `The registry has ${stored}, the same number to a spreadsheet.`
    : undefined;
}
