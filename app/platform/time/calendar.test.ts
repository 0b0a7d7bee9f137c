import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatStated,
  formatStatedInZone,
  isoStated,
  addDays,
  daysBetween,
  formatDay,
  formatInstant,
  formatInstantInZone,
  formatMoment,
  formatClocks,
  formatVisitTime,
  instantAt,
  instantOf,
  instantOfDay,
  isDay,
  timeIn,
  zoneName,
  todayIn,
  zoneCity,
} from './calendar.ts';

const SYDNEY = 'Australia/Sydney';

test('only days that exist are days', () => {
  expect(['2027-02-28', '2028-02-29', '1900-01-01'].map(isDay)).toEqual([true, true, true]);
  expect(['2027-02-29', '2027-13-01', '2027-1-1', '27-01-01', '', '2027-01-01T00:00', '0001-01-01'].map(isDay)).toEqual(
    Array(7).fill(false),
  );
});

test('the day turns at local midnight, also where the clock changes', () => {
  expect(todayIn(SYDNEY, new Date('2026-11-20T12:59:59Z'))).toBe('2026-11-20');
  expect(todayIn(SYDNEY, new Date('2026-11-20T13:00:00Z'))).toBe('2026-11-21');
  // 3 October 2027: daylight saving begins, so that day's midnight is still standard time.
  expect(instantOfDay('2027-10-03', SYDNEY).toISOString()).toBe('2027-10-02T14:00:00.000Z');
  expect(instantOfDay('2027-10-04', SYDNEY).toISOString()).toBe('2027-10-03T13:00:00.000Z');
  // 4 April 2027: it ends.
  expect(instantOfDay('2027-04-04', SYDNEY).toISOString()).toBe('2027-04-03T13:00:00.000Z');
  expect(instantOfDay('2027-04-05', SYDNEY).toISOString()).toBe('2027-04-04T14:00:00.000Z');
});

test('every day of twelve years begins when it says, in every zone of Australia', () => {
  for (const zone of [SYDNEY, 'Australia/Perth', 'Australia/Darwin', 'Australia/Lord_Howe', 'UTC'])
    for (let day = '2024-01-01'; day < '2036-01-01'; day = addDays(day, 1)) {
      const begin = instantOfDay(day, zone);
      expect(todayIn(zone, begin)).toBe(day);
      expect(todayIn(zone, new Date(begin.getTime() - 1))).toBe(addDays(day, -1));
    }
});

test('days are counted across leap days and clock changes', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(daysBetween('2027-10-01', '2027-10-05')).toBe(4);
  expect(daysBetween('2027-04-05', '2027-04-01')).toBe(-4);
});

test('dates and times read as Australians write them', () => {
  const instant = new Date('2026-11-20T22:41:00Z');
  expect(formatMoment(instant, SYDNEY)).toBe('Saturday 21 November 2026, 9:41 am AEDT');
  expect(formatInstant(instant, 'Australia/Perth')).toBe('21 November 2026, 6:41 am');
  expect(formatDay('2026-09-03', 'short')).toBe('3 Sep 2026');
  expect(formatDay('2028-06-30', 'short')).toBe('30 Jun 2028');
  expect(formatDay('2027-05-14')).toBe('14 May 2027');
  expect(zoneCity('Australia/Broken_Hill')).toBe('Broken Hill');
});

test('a file has the day, or the time with what the zone is ahead', () => {
  expect(isoStated(instantOfDay('2025-05-12', 'Australia/Sydney'), 'Australia/Sydney')).toBe('2025-05-12');
  const instant = new Date('2026-11-13T23:22:05Z');
  expect(isoStated(instant, 'Australia/Sydney')).toBe('2026-11-14T10:22:05+11:00');
  expect(isoStated(instant, 'Australia/Adelaide')).toBe('2026-11-14T09:52:05+10:30');
  expect(isoStated(instant, 'America/New_York')).toBe('2026-11-13T18:22:05-05:00');
  for (const zone of ['Australia/Sydney', 'Australia/Adelaide', 'America/St_Johns'])
    expect(Date.parse(isoStated(instant, zone))).toBe(instant.getTime());
});

test('what is known by its day has no time', () => {
  const zone = 'Australia/Sydney';
  expect(formatStated(instantOfDay('2025-05-12', zone), zone)).toBe('12 May 2025');
  expect(formatStatedInZone(instantOfDay('2025-05-12', zone), zone)).toBe('12 May 2025');
  const later = new Date(instantOfDay('2025-05-12', zone).getTime() + 1);
  expect(formatStated(later, zone)).toBe('12 May 2025, 12:00 am');
  expect(formatStatedInZone(later, zone)).toBe('12 May 2025, 12:00 am AEST');
});

test.each([
  // Summer time, winter time, and both sides of the changes of 2027.
  ['2026-11-20', '14:05', '2026-11-20T03:05:00.000Z'],
  ['2026-06-20', '00:00', '2026-06-19T14:00:00.000Z'],
  ['2027-10-03', '01:59', '2027-10-02T15:59:00.000Z'],
  ['2027-10-03', '03:00', '2027-10-02T16:00:00.000Z'],
  // Twice on that day: the first.
  ['2027-04-04', '02:30', '2027-04-03T15:30:00.000Z'],
  ['2027-04-04', '03:00', '2027-04-03T17:00:00.000Z'],
])('the clock in Sydney shows %s %s', (day, time, instant) => {
  expect(instantAt(day, time, SYDNEY).toISOString()).toBe(instant);
  expect([todayIn(SYDNEY, new Date(instant)), timeIn(SYDNEY, new Date(instant))]).toEqual([day, time]);
});

test('a time that the clock skips is the one an hour later', () => {
  expect(timeIn(SYDNEY, instantAt('2027-10-03', '02:30', SYDNEY))).toBe('03:30');
});

test('a day or instant of any year is shown, and nothing throws', () => {
  const shown = ['0000-01-01', '0001-01-01 BC', '12026-03-04', '9999-12-31', 'infinity', 'soon', ''].map((day) =>
    formatDay(day),
  );
  expect(shown).toEqual([
    '1 January 1 BC',
    '1 January 1 BC',
    '4 March 12026',
    '31 December 9999',
    'infinity',
    'soon',
    '',
  ]);
  const texts = [
    '0001-01-01T00:00:00+00:00 BC',
    '0000-01-01T00:00:00Z',
    '294000-01-01 10:00:00+00',
    'infinity',
    '-infinity',
  ];
  expect(formatInstant(instantOf('0044-03-15T00:00:00+00:00 BC'), SYDNEY)).toBe('15 March 44 BC');
  for (const instant of [...texts, '0001-01-01', '9999-12-31T23:59:59Z', 'soon'].map(instantOf))
    for (const show of [formatInstant, formatMoment, formatStated, formatStatedInZone, formatInstantInZone, isoStated])
      expect(show(instant, SYDNEY)).not.toMatch(/Invalid|NaN|undefined/);
  const day = fc.oneof(fc.date({ noInvalidDate: false }), fc.string().map(instantOf));
  fc.assert(
    fc.property(day, fc.integer({ min: -1e9, max: 1e9 }), (instant, days) => {
      const shown = [formatMoment(instant, SYDNEY), timeIn(SYDNEY, instant), zoneName(instant, SYDNEY)];
      expect(
        [...shown, addDays(todayIn(SYDNEY, instant), days), formatDay(todayIn(SYDNEY, instant))].join(),
      ).not.toContain('NaN');
    }),
  );
});

test('a time by the clock of its place, and by the registry’s where that shows another', () => {
  const evening = instantAt('2026-11-20', '22:46', SYDNEY);
  expect(formatClocks(evening, SYDNEY, 'Australia/Perth')).toBe('10:46 pm Sydney (7:46 pm in Perth)');
  expect(formatClocks(evening, 'Australia/Melbourne', SYDNEY)).toBe('10:46 pm Melbourne');
  expect(formatClocks(evening, SYDNEY, SYDNEY)).toBe('10:46 pm Sydney');
  const late = instantAt('2026-11-20', '22:46', 'Australia/Perth');
  expect(formatVisitTime(late, 'Australia/Perth', SYDNEY)).toBe(
    '20 November 2026, 10:46 pm Perth (1:46 am in Sydney, 21 November 2026)',
  );
  expect(formatClocks(new Date(Number.NaN), SYDNEY, SYDNEY)).toBe('');
});
