// Reads one record of the former database field by field. Whatever is not simply taken leaves a note; whatever has no
// place is kept as it was.
import { addDays, instantOfDay, isDay, todayIn } from '#app/platform/time/calendar.ts';
import { isEntered } from '#app/platform/time/entered-day.ts';
import { readEmail } from '#app/people/email.ts';
import { shorten } from './clean-record.ts';

/** A field that was not simply taken was put right, refused (stored but not shown), missing, or taken but odd. */
export type Note = {
  kind: 'corrected' | 'refused' | 'missing' | 'noted';
  text: string;
  /** The same without this record's own values, by which notes are counted; `text` where it has none. */
  sort?: string;
};
/** What is said of a record; as text alone where it has none of the record's own values. */
export type Said = string | Pick<Note, 'text' | 'sort'>;
/** Of a record out of which `cleanValue` took something. */
export const CLEANED: Note = { kind: 'corrected', text: 'characters that no text can hold were taken out' };

const TEXT_MAX_LENGTH = 10_000;
const NAME_MAX_LENGTH = 200;
const URL_MAX_LENGTH = 2000;
const AU_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,.*)?$/;

export class RecordReader {
  readonly notes: Note[] = [];
  readonly unplaced: Record<string, unknown> = {};
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #zone: string;
  readonly #read = new Set<string>();

  constructor(raw: Readonly<Record<string, unknown>>, zone: string) {
    this.#raw = raw;
    this.#zone = zone;
  }

  /** The raw value; the field counts as read. */
  raw(field: string): unknown {
    this.#read.add(field);
    return this.#raw[field];
  }

  /** Text, '' when absent. Numbers become text; anything else is refused. `expected` fields are missed when absent. */
  text(field: string, expected: 'expected' | 'optional' = 'optional'): string {
    const value = this.raw(field);
    if (value === undefined || value === null) {
      if (expected === 'expected') this.note('missing', `no ${field}`);
      return '';
    }
    if (typeof value === 'string') {
      const clean = value.trim();
      if (clean.length <= TEXT_MAX_LENGTH) return clean;
      this.refuse(field, value, `${field} is longer than ${TEXT_MAX_LENGTH} characters`);
      return shorten(clean, TEXT_MAX_LENGTH);
    }
    if (typeof value === 'number') {
      this.note('corrected', `${field} was a number, read as text`);
      return String(value);
    }
    this.refuse(field, value, `${field} is not text`);
    return '';
  }

  /** A calendar day; null when absent, empty or unreadable. */
  day(field: string, expected: 'expected' | 'optional' = 'optional'): string | null {
    const text = this.text(field, expected);
    if (text === '') {
      if (expected === 'expected' && this.#raw[field] === '') this.note('missing', `${field} is empty`);
      return null;
    }
    const { day, corrected } = readDay(text, this.#zone);
    if (day === undefined) {
      this.refuse(field, text, {
        text: `${field} ${JSON.stringify(text.slice(0, 40))} is not a date`,
        sort: `${field} is not a date`,
      });
      return null;
    }
    if (corrected)
      this.note('corrected', `${field} ${JSON.stringify(text)} read as ${day}`, `${field} written in another form`);
    return day;
  }

  /** A stated instant, or the beginning of a stated day in the registry's zone; null as `day`. */
  instant(field: string): Date | null {
    const value = this.#raw[field];
    const instant = typeof value === 'string' ? readInstant(value) : undefined;
    if (instant !== undefined) {
      this.#read.add(field);
      return instant;
    }
    const day = this.day(field);
    return day === null ? null : instantOfDay(day, this.#zone);
  }

  /** True or false; false when absent. */
  flag(field: string): boolean {
    const value = this.raw(field);
    if (typeof value === 'boolean') return value;
    if (value === undefined || value === null || value === '') return false;
    if (value === 'true' || value === 'false') {
      this.note('corrected', `${field} was text, read as ${value}`);
      return value === 'true';
    }
    this.refuse(field, value, `${field} is neither true nor false`);
    return false;
  }

  /** `text` as a web address, '' when it is none: links are shown, so only such as lead to a web address are taken. */
  url(field: string, text: string): string {
    if (text === '') return '';
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:') && text.length <= URL_MAX_LENGTH)
      return url.href;
    this.refuse(field, text, `${field} is not a web address`);
    return '';
  }

  note(kind: Note['kind'], text: string, sort = text): void {
    this.notes.push({ kind, text, sort });
  }

  /** Stores a value that has no field here as unplaced, with the reason. */
  refuse(field: string, value: unknown, why: Said): void {
    const { text, sort = text } = typeof why === 'string' ? { text: why } : why;
    this.unplaced[field] = value;
    this.note('refused', `${text}; stored but not shown`, `${sort}; stored but not shown`);
  }

  /** Stores every field that nothing has read as unplaced. Returns what became of the record's fields. */
  finish(): { notes: Note[]; unplaced: Record<string, unknown> } {
    for (const [field, value] of Object.entries(this.#raw))
      if (!this.#read.has(field)) this.refuse(field, value, `unknown field ${field}`);
    return { notes: this.notes, unplaced: this.unplaced };
  }
}

/** A day out of '2026-05-14', '14/05/2026' or '14/05/2026, 9:41:00 am'; of an ISO instant the day it was in `zone`. */
export function readDay(text: string, zone: string): { day: string | undefined; corrected: boolean } {
  if (isEntered(text)) return { day: text, corrected: false };
  const instant = readInstant(text);
  if (instant !== undefined) return { day: todayIn(zone, instant), corrected: true };
  const iso = text.slice(0, 10);
  if (/^\d{4}-\d\d-\d\d[T ]\d/.test(text) && isEntered(iso)) return { day: iso, corrected: true };
  const match = AU_DATE.exec(text);
  if (match === null) return { day: undefined, corrected: false };
  const [, day = '', month = '', year = ''] = match;
  const made = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return { day: isEntered(made) ? made : undefined, corrected: true };
}

/** '2026-05-13T14:00:00.000Z': only with its offset is it an instant, and only in the years that days have. */
export function readInstant(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && isEntered(instant.toISOString().slice(0, 10)) ? instant : undefined;
}

/** Whether a stated local date and time agree with `day` (of the entry's key), read day first or month first. */
export function statedForm(text: string, day: string): 'day-first' | 'month-first' | 'other' {
  const match = AU_DATE.exec(text);
  if (match === null) return 'other';
  const [, first = '', second = '', year = ''] = match;
  const near = (made: string) => isDay(made) && [addDays(day, -1), day, addDays(day, 1)].includes(made);
  const of = (d: string, m: string) => `${year}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
  // The former clients wrote 'am' in lower case day first, 'AM' month first.
  if (/[ap]m$/.test(text) && near(of(first, second))) return 'day-first';
  if (near(of(second, first))) return 'month-first';
  return near(of(first, second)) ? 'day-first' : 'other';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many readings a vehicle's record has. */
export function readingsIn(vehicle: unknown): number {
  const readings = isObject(vehicle) ? vehicle['calibrations'] : undefined;
  return isObject(readings) ? Object.keys(readings).length : 0;
}

/** The address of an email key of the former database, which has commas for dots; undefined when it is none. */
export const addressOfKey = (key: string): string | undefined => readEmail(key.replaceAll(',', '.'));

/** A name as long as an actor's may be. */
export function shortName(text: string): string {
  return shorten(text.trim(), NAME_MAX_LENGTH);
}
