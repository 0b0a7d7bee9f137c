// The register of weighbridges of the demo. The towns are real; the weighbridges, their operators, licences and
// certificates are invented.
import { addDays } from '#app/platform/time/calendar.ts';
import { twelveMonthsFrom } from '#app/references/reference.ts';
import { tableOf } from './table.ts';

export const REPAIRED = 'Magpie Flat weighbridge';
export const WITHDRAWN = 'Galah Ridge weighbridge';
export const REPAIR = { daysAgo: 103, note: 'Load cell 3 and its junction box replaced.' };

// Capacity and interval in kg. `verified`: days from today to the first day of each verification, which covers 12
// months, unless the next begins earlier.
export const DEMO_WEIGHBRIDGES = tableOf('weighbridges').map((row) => ({
  ...row,
  name: `${row.name} weighbridge`,
  operator: `${row.name} Weighing`,
  latitude: row.latitude ?? '',
  longitude: row.longitude ?? '',
  verified: row.verified?.split(' ').map(Number) ?? [],
}));
type DemoWeighbridge = Pick<(typeof DEMO_WEIGHBRIDGES)[number], 'name' | 'verified'>;

/** The verifications, oldest first, with both days. */
export function verificationsOf(
  { name, verified }: DemoWeighbridge,
  today: string,
): { certificateNumber: string; fromOn: string; toOn: string }[] {
  const stem = name.slice(0, 2).toUpperCase();
  return verified.map((from, place) => {
    const fromOn = addDays(today, from);
    const next = verified[place + 1];
    const whole = twelveMonthsFrom(fromOn);
    const before = next === undefined ? whole : addDays(today, next - 1);
    const certificateNumber = `V${stem}-${String(4107 + place * 612 - from)}`;
    return { certificateNumber, fromOn, toOn: before < whole ? before : whole };
  });
}
