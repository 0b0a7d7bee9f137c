import { expect, test } from 'vitest';
import { formatBase64, parseUtf8 } from '#app/tlog/bytes.ts';
import { formatLeaf, type Leaf } from '#app/tlog/leaf.ts';
import { presentBadge } from './log-badge.server.ts';

const HASH = formatBase64(new Uint8Array(32).fill(7));
const READING: Leaf = {
  v: 1,
  type: 'calibration.recorded',
  at: '2026-11-20T21:30:00.000Z',
  origin: 'recorded',
  subject: HASH,
  subjectSeq: 1,
  body: { calibration: 1, calibratedOn: '2026-11-20' },
  rest: HASH,
};

const IN_SYDNEY = { calibration: 1, calibratedOn: '2026-11-21', zone: 'Australia/Sydney' };

test.each<[string, Partial<Leaf>, number | null]>([
  ['at half past eight in the morning of the 21st in Sydney, of that moment', {}, 0],
  ['two days later', { at: '2026-11-22T01:00:00.000Z' }, 2],
  // Read at 9:30 in Sydney, sent at 13:00: the day in UTC was the day before.
  ['in the afternoon, of that morning, before leaves named a zone', { at: '2026-11-21T02:00:00.000Z' }, 0],
  ['in the afternoon, of that morning', { at: '2026-11-21T02:00:00.000Z', body: IN_SYDNEY }, 0],
  ['the day after', { at: '2026-11-21T13:00:00.000Z', body: IN_SYDNEY }, 1],
  ['imported', { origin: 'imported', at: '2026-11-22T01:00:00.000Z' }, null],
])('a reading that was logged %s', (_when, more, daysLater) => {
  const entry = parseUtf8(formatLeaf({ ...READING, ...more }));
  const row = { index: 7, entry, erased: [], erasedAt: null };
  expect(presentBadge(row, 'Australia/Sydney', null).daysLater).toBe(daysLater);
});
