// The calibration visits of a demo truck: readings on a straight line per axle, a few seconds apart.
import { addDays, instantOfDay } from '#app/platform/time/calendar.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { DEMO_TECHNICIANS } from './people.ts';
import type { DemoRandom } from './random.ts';
import { type Row, tableOf } from './table.ts';

const ZONE = 'Australia/Sydney';
export const INTERVAL_DAYS = 182;
export const STEP_KG = 20;

/** Volts and kilograms, each empty and loaded; undefined: not recorded. */
type Values = readonly (number | undefined)[];
type Visit = { day: string; minute: number; technician: Row | undefined; axles: readonly [Axle, Values][] };

const ATTRIBUTES = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'] as const;
const GROUPS = { S: 'STEER', D: 'DRIVE', A: 'TRAILERA', B: 'TRAILERB' } as const;
type Ranges = Record<'empty' | 'loaded' | 'from' | 'span', [number, number]>;
const TRI: Ranges = { empty: [3100, 4100], loaded: [18_300, 19_800], from: [0.62, 0.8], span: [2.2, 2.6] };
const RANGES: Partial<Record<Axle, Ranges>> = {
  STEER: { empty: [3900, 4700], loaded: [5640, 5980], from: [0.78, 0.95], span: [0.5, 0.66] },
  DRIVE: { empty: [4400, 5400], loaded: [15_200, 16_420], from: [0.82, 1.02], span: [2.1, 2.5] },
  TRAILERB: { empty: [3000, 3900], loaded: [18_200, 19_700], from: [0.6, 0.78], span: [2.2, 2.6] },
};
/** Of an axle group: its weights in kg, its volts when empty (`from`), and how far they rise to loaded (`span`). */
export const rangesOf = (axle: Axle): Ranges => RANGES[axle] ?? TRI;

export const axlesOf = ({ axles }: Row): Axle[] =>
  Object.entries(GROUPS).flatMap(([letter, axle]) => (axles?.includes(letter) === true ? [axle] : []));

/** The calibrations, keyed by their millisecond, and the day of the first visit. */
export function demoCalibrations(truck: Row, today: string, random: DemoRandom) {
  const visits = truck.rego === 'XV04KL' ? fixedVisits(truck, today) : drawnVisits(truck, today, random);
  const entries = visits.flatMap((visit) => entriesOf(visit, random));
  const [, first] = entries[0] ?? [];
  const named = DEMO_TECHNICIANS.find(({ rep_name: name }) => name === first?.calibrating_technician);
  if (truck.marks?.includes('email') === true && first !== undefined) first.calibrating_technician = named?.email ?? '';
  return { calibrations: Object.fromEntries(entries), firstDay: visits[0]?.day };
}

// The oldest first: one without some readings, then a whole one. The values are those of the axles in turn.
function fixedVisits(truck: Row, today: string): Visit[] {
  return tableOf('XV04KL').map(({ daysAgo, minute, values = '' }) => ({
    day: addDays(today, -Number(daysAgo)),
    minute: Number(minute),
    technician: DEMO_TECHNICIANS[0],
    axles: values.split(', ').map((four, place): [Axle, Values] => {
      const read = four.split(' ').map((value) => (value === '-' ? undefined : Number(value)));
      return [axlesOf(truck)[place] ?? 'STEER', read];
    }),
  }));
}

function drawnVisits(truck: Row, today: string, random: DemoRandom): Visit[] {
  const state = truck.place?.split(', ').at(-1) ?? '';
  const technician = DEMO_TECHNICIANS.find(({ states }) => states?.split(' ').includes(state)) ?? DEMO_TECHNICIANS[0];
  const lines = axlesOf(truck).map((axle) => ({ axle, line: drawLine(axle, random) }));
  const days: string[] = [];
  let day = addDays(today, Number(truck.dueIn) - INTERVAL_DAYS);
  for (; days.length < Number(truck.visits); day = addDays(day, -random.whole(168, 196))) days.unshift(day);
  return days.map((on, index) => ({
    day: on,
    minute: random.whole(7 * 60 + 30, 15 * 60 + 30),
    // Now and then another technician makes the visit.
    technician: random.whole(1, 9) === 1 ? random.pick(DEMO_TECHNICIANS) : technician,
    axles: lines.map(({ axle, line: { slope, offset } }) => {
      const isMoved = truck.marks?.includes('sensor') === true && axle === 'DRIVE' && index === days.length - 1;
      const moved = slope * (isMoved ? 0.9 : 1) * random.between(0.996, 1.004);
      return [axle, read(axle, { slope: moved, offset }, random)];
    }),
  }));
}

/** Of an axle group: kilograms a volt, and kilograms at 0 V. */
export type Line = { slope: number; offset: number };

export function drawLine(axle: Axle, random: DemoRandom): Line {
  const { empty, loaded, from, span } = rangesOf(axle);
  const [light, heavy, volt] = [random.between(...empty), random.between(...loaded), random.between(...from)];
  const slope = (heavy - light) / random.between(...span);
  return { slope, offset: light - slope * volt };
}

/** In the steps in which a weighbridge prints. */
export const inSteps = (kg: number): number => Math.round(kg / STEP_KG) * STEP_KG;
/** What the display shows on this line. */
export const voltsAt = ({ slope, offset }: Line, kg: number): number => Math.round(((kg - offset) / slope) * 100) / 100;

function read(axle: Axle, line: Line, random: DemoRandom): Values {
  const { empty, loaded } = rangesOf(axle);
  const light = inSteps((empty[0] + empty[1]) / 2 + random.between(-120, 120));
  const heavy = inSteps(random.between(...loaded));
  const isWhole = random.whole(1, 60) > 1;
  return [voltsAt(line, light), isWhole ? voltsAt(line, heavy) : undefined, light, isWhole ? heavy : undefined];
}

function entriesOf({ day, minute, technician, axles }: Visit, random: DemoRandom): [string, Record<string, string>][] {
  let instant = instantOfDay(day, ZONE).getTime() + minute * 60_000 + random.whole(2000, 50_000);
  return axles.flatMap(([axle, values]) =>
    ATTRIBUTES.flatMap((attribute, index): [string, Record<string, string>][] => {
      const value = values[index];
      if (value === undefined) return [];
      instant += random.whole(3000, 24_000);
      const entry = {
        calibration_date_time: FORMATS[random.whole(1, 12) === 1 ? 'en-US' : 'en-AU']
          .format(instant)
          .replaceAll('\u202f', ' '),
        axle_type: axle,
        calibrating_technician: technician?.rep_name ?? '',
        calibration_due_date: addDays(day, INTERVAL_DAYS),
        calibration_attribute: attribute,
        calibration_value: attribute.endsWith('Volt') ? value.toFixed(2) : String(value),
      };
      return [[String(instant), entry]];
    }),
  );
}

// What toLocaleString() gave the former application: '5/08/2024, 11:24:45 am', or '8/5/2024, 11:24:45 AM'.
const SHOWN = { day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;
const FORMATS = {
  'en-AU': new Intl.DateTimeFormat('en-AU', { ...SHOWN, month: '2-digit', timeZone: ZONE }),
  'en-US': new Intl.DateTimeFormat('en-US', { ...SHOWN, month: 'numeric', timeZone: ZONE }),
};
