// Calendar days ('YYYY-MM-DD') and how instants are shown. A day has no time and no zone; which day it is now depends
// on the registry's zone.
//
// Formatters, days, their beginnings and names of zones are cached. Buys: a formatter takes 50 to 180 µs to make and
// 0.7 to use; the day of an instant takes 6 to 10 µs of Intl and 0.2 from the cache, and an import asks for millions of
// instants in a few hundred days. Deletable when Temporal is in every supported Node.

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const MS_PER_DAY = 86_400_000;
const MS_PER_HOUR = 3_600_000;
const LOCALE = 'en-AU';
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Whether `text` names a day that exists, from year 1900 to 2199. */
export function isDay(text: string): boolean {
  const match = DAY_PATTERN.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900 || year >= 2200 || month < 1 || month > 12 || day < 1) return false;
  // The day before the first of the next month is the month's last.
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The day it is in `zone` at `now`. Beyond years of four digits it is the day in UTC, as ISO 8601 writes it. */
export function todayIn(zone: string, now: Date = new Date()): string {
  if (!isOrdinary(now)) return isoDay(now.getTime());
  const quarter = Math.floor(now.getTime() / QUARTER_HOUR_MS);
  return quarter < SINCE_1973
    ? zonedParts(zone, now).day
    : remembered(days, `${zone} ${quarter}`, () => zonedParts(zone, now).day);
}

// Columns may hold more than the formatters of days can write: years before the first and after 9999, and no instant at
// all.
const ORDINARY_FROM = Date.parse('0001-01-02T00:00:00Z');
const ORDINARY_TO = Date.parse('9999-12-31T00:00:00Z');
const isOrdinary = (instant: Date) => instant.getTime() >= ORDINARY_FROM && instant.getTime() < ORDINARY_TO;
// Those of `-infinity` and `infinity`: what both PostgreSQL and Date can hold.
const FIRST_DAY = -2_440_587;
const LAST_DAY = 100_000_000;

const isoDay = (ms: number): string => (Number.isNaN(ms) ? 'an unknown day' : new Date(ms).toISOString().slice(0, -14));

// Since 1973 no zone's day begins within a quarter of an hour.
const QUARTER_HOUR_MS = 900_000;
const SINCE_1973 = Date.UTC(1973) / QUARTER_HOUR_MS;
const REMEMBERED_MAX = 2000;
const days = new Map<string, string>();
const beginnings = new Map<string, number>();
const zoneNames = new Map<string, string>();

function remembered<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= REMEMBERED_MAX) kept.clear();
  const made = make();
  kept.set(key, made);
  return made;
}

/** The day `count` days after `day` (before it when negative). */
export function addDays(day: string, count: number): string {
  const number = Math.max(FIRST_DAY, Math.min(LAST_DAY, dayNumber(day) + count));
  return isoDay(number * MS_PER_DAY);
}

/** How many days `to` is after `from`; negative when before. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/** The instant at which `day` begins in `zone`, also where the clock changes at midnight. */
export function instantOfDay(day: string, zone: string): Date {
  return new Date(
    remembered(beginnings, `${zone} ${day}`, () => {
      const midnight = dayNumber(day) * MS_PER_DAY;
      if (!isOrdinary(new Date(midnight))) return midnight;
      return midnight - zoneOffset(zone, midnight - zoneOffset(zone, midnight));
    }),
  );
}

/** The last moment of `day` in `zone`. */
export const endOfDay = (day: string, zone: string): Date =>
  new Date(instantOfDay(addDays(day, 1), zone).getTime() - 1);

/** The instant at which the clock in `zone` shows `time` ('14:05') on `day`; the first of two where it is set back. */
export function instantAt(day: string, time: string, zone: string): Date {
  const shown = Date.parse(`${day}T${time}:00Z`);
  const guess = shown - zoneOffset(zone, shown - zoneOffset(zone, shown));
  // An hour earlier the clock may have shown the same.
  const earlier = guess - MS_PER_HOUR;
  return new Date(earlier + zoneOffset(zone, earlier) === shown ? earlier : guess);
}

/** What the clock in `zone` shows at `instant`: '14:05'. */
export function timeIn(zone: string, instant: Date): string {
  return isOrdinary(instant) ? zonedParts(zone, instant).time.slice(0, 5) : '';
}

/** '14 May 2027', or '14 Sep 2026' in tables (`month` 'short'). */
export function formatDay(day: string, month: 'long' | 'short' = 'long'): string {
  const parts = dayParts(day);
  if (parts === undefined) return day;
  const name = MONTHS[parts.month - 1] ?? '';
  // en-AU shortens some months to four letters and June not at all: columns want three.
  const shown = month === 'long' ? name : name.slice(0, 3);
  return `${parts.day} ${shown} ${parts.year > 0 ? parts.year : `${1 - parts.year} BC`}`;
}

// Also of '0002-01-01 BC' and '12026-01-01', as PostgreSQL writes them, and of '-000001-01-01', as ISO 8601 does.
const ANY_DAY = /^([+-]?\d{4,7})-(0[1-9]|1[0-2])-(\d{2})( BC)?$/;

function dayParts(text: string): { year: number; month: number; day: number } | undefined {
  const match = ANY_DAY.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', bc] = match;
  return { year: bc === undefined ? Number(year) : 1 - Number(year), month: Number(month), day: Number(day) };
}

/** 'May 2027'. */
export const formatMonth = (day: string): string => formatDay(day).replace(/^\d+ /, '');

/** '14 November 2026, 10:22 am'. */
export function formatInstant(instant: Date, zone: string): string {
  const day = formatDay(todayIn(zone, instant));
  return isOrdinary(instant) ? `${day}, ${formatTime(instant, zone)}` : day;
}

/** '14 November 2026, 10:22 am AEDT'. */
export const formatInstantInZone = (instant: Date, zone: string): string =>
  isOrdinary(instant) ? `${formatInstant(instant, zone)} ${zoneName(instant, zone)}` : formatInstant(instant, zone);

/**
 * The same without the zone for a record of which perhaps only the day is known: it is stored as the start of that day,
 * and shown without time. '14 November 2026'.
 */
export function formatStated(instant: Date, zone: string): string {
  const day = todayIn(zone, instant);
  return instantOfDay(day, zone).getTime() === instant.getTime() ? formatDay(day) : formatInstant(instant, zone);
}

/** The same with the zone: '14 November 2026, 10:22 am AEDT'. */
export function formatStatedInZone(instant: Date, zone: string): string {
  const text = formatStated(instant, zone);
  return text.includes(',') ? formatInstantInZone(instant, zone) : text;
}

/** For files (ISO 8601): '2026-11-14T10:22:00+11:00', or '2026-11-14' where perhaps only the day is known. */
export function isoStated(instant: Date, zone: string): string {
  if (!isOrdinary(instant)) return Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
  const { day, time } = zonedParts(zone, instant);
  if (instantOfDay(day, zone).getTime() === instant.getTime()) return day;
  const minutes = Math.round(zoneOffset(zone, instant.getTime()) / 60_000);
  const offset = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${day}T${time}${minutes < 0 ? '-' : '+'}${offset}`;
}

/** 'Saturday 21 November 2026, 9:41 am AEDT'. */
export function formatMoment(instant: Date, zone: string): string {
  const weekday = isOrdinary(instant) ? `${formatter('weekday', zone).format(instant)} ` : '';
  return `${weekday}${formatInstantInZone(instant, zone)}`;
}

/** The zone's abbreviation at that instant, as 'AEDT'. */
export function zoneName(instant: Date, zone: string): string {
  if (!isOrdinary(instant)) return zone;
  const quarter = Math.floor(instant.getTime() / QUARTER_HOUR_MS);
  return remembered(zoneNames, `${zone} ${quarter}`, () => {
    const parts = formatter('zone', zone).formatToParts(new Date(quarter * QUARTER_HOUR_MS));
    return parts.find((part) => part.type === 'timeZoneName')?.value ?? zone;
  });
}

/** Whether days and times can be told in `zone`. */
export function isZone(zone: string): boolean {
  try {
    return formatter('zone', zone) !== undefined;
  } catch {
    return false;
  }
}

/** The city that a zone is named after: 'Sydney' of 'Australia/Sydney'. */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/**
 * '7:46 pm Perth (10:46 pm in Sydney)': the clock of the place, and that of the registry where it shows another time,
 * with its day where that is another one too.
 */
export function formatClocks(instant: Date, place: string, zone: string): string {
  if (!isOrdinary(instant)) return '';
  const here = `${formatTime(instant, place)} ${zoneCity(place)}`;
  if (timeIn(place, instant) === timeIn(zone, instant)) return here;
  const day = todayIn(zone, instant);
  const on = day === todayIn(place, instant) ? '' : `, ${formatDay(day)}`;
  return `${here} (${formatTime(instant, zone)} in ${zoneCity(zone)}${on})`;
}

/** The same with the day of the place: '14 November 2026, 7:46 pm Perth (10:46 pm in Sydney)'. */
export const formatVisitTime = (instant: Date, place: string, zone: string): string =>
  `${formatDay(todayIn(place, instant))}, ${formatClocks(instant, place, zone)}`;

function formatTime(instant: Date, zone: string): string {
  return formatter('time', zone)
    .format(instant)
    .replace(/\u202f/g, ' ')
    .toLowerCase();
}

function dayNumber(day: string): number {
  const usual = Date.parse(`${day}T00:00:00Z`);
  if (!Number.isNaN(usual)) return Math.round(usual / MS_PER_DAY);
  if (day.endsWith('infinity')) return day.startsWith('-') ? FIRST_DAY : LAST_DAY;
  const parts = dayParts(day);
  if (parts === undefined) return Number.NaN;
  const { year, month, day: dayOfMonth } = parts;
  const sure = Math.max(-271_000, Math.min(275_000, year));
  return Math.round(new Date(0).setUTCFullYear(sure, month - 1, dayOfMonth) / MS_PER_DAY);
}

/** An instant that the database wrote as text: also one before the first year, or `infinity`. */
export function instantOf(given: string | Date): Date {
  const usual = new Date(given);
  if (!Number.isNaN(usual.getTime())) return usual;
  return new Date(dayNumber(String(given).replace(/[T ]\d\d:[^ ]*/, '')) * MS_PER_DAY);
}

function zoneOffset(zone: string, instant: number): number {
  const { day, time } = zonedParts(zone, new Date(instant));
  return Date.parse(`${day}T${time}Z`) - Math.floor(instant / 1000) * 1000;
}

function zonedParts(zone: string, instant: Date): { day: string; time: string } {
  const parts = new Map(
    formatter('parts', zone)
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  return {
    day: `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`,
    time: `${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}`,
  };
}

const FORMATS = {
  weekday: { weekday: 'long' },
  time: { hour: 'numeric', minute: '2-digit', hour12: true },
  zone: { timeZoneName: 'short' },
  parts: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(name: keyof typeof FORMATS, zone: string): Intl.DateTimeFormat {
  const make = () => new Intl.DateTimeFormat(LOCALE, { ...FORMATS[name], timeZone: zone });
  return remembered(formatters, `${name} ${zone}`, make);
}
