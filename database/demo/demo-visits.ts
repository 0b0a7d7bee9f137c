// The calibration visits of a demo vehicle: readings on a straight line per axle, a few seconds apart.
import { addDays, instantOfDay } from '#app/platform/time/calendar.ts';
import { DEMO_TECHNICIANS } from './demo-people.ts';
import type { DemoRandom } from './demo-random.ts';
import type { DemoVehicle } from './demo-vehicles.ts';

const ZONE = 'Australia/Sydney';
const INTERVAL_DAYS = 182;
const MINUTE = 60_000;

type Axle = 'STEER' | 'DRIVE' | 'TRAILERA' | 'TRAILERB';
/** Volts and kilograms, empty and loaded; null: not recorded. */
type Reading = readonly [
  emptyVolt: number | null,
  loadedVolt: number | null,
  emptyWeight: number | null,
  loadedWeight: number | null,
];
type Visit = {
  day: string;
  minuteOfDay: number;
  technician: (typeof DEMO_TECHNICIANS)[number];
  axles: readonly (readonly [Axle, Reading])[];
};

const ATTRIBUTES = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'] as const;
const AXLES: Record<DemoVehicle['axles'], readonly Axle[]> = {
  SD: ['STEER', 'DRIVE'],
  SDA: ['STEER', 'DRIVE', 'TRAILERA'],
  SDAB: ['STEER', 'DRIVE', 'TRAILERA', 'TRAILERB'],
};
/**
 * Ranges for an axle group: its weights in kg, its volts when empty (`from`), and how far they rise to loaded (`span`).
 */
export const RANGES: Record<Axle, Record<'empty' | 'loaded' | 'from' | 'span', [number, number]>> = {
  STEER: { empty: [3900, 4700], loaded: [5640, 5980], from: [0.78, 0.95], span: [0.5, 0.66] },
  DRIVE: { empty: [4400, 5400], loaded: [15_200, 16_420], from: [0.82, 1.02], span: [2.1, 2.5] },
  TRAILERA: { empty: [3100, 4100], loaded: [18_300, 19_800], from: [0.62, 0.8], span: [2.2, 2.6] },
  TRAILERB: { empty: [3000, 3900], loaded: [18_200, 19_700], from: [0.6, 0.78], span: [2.2, 2.6] },
};

// The visits of XV04KL: an incomplete one, then the newest.
const XV04KL_VISITS: readonly (readonly [daysAgo: number, minuteOfDay: number, axles: Visit['axles']])[] = [
  [
    193,
    845,
    [
      ['STEER', [0.84, 1.45, 3920, 5860]],
      ['DRIVE', [0.93, 3.2, 4840, 15_610]],
      ['TRAILERA', [0.71, null, 3250, null]],
    ],
  ],
  [
    8,
    622,
    [
      ['STEER', [0.84, 1.46, 3940, 5880]],
      ['DRIVE', [0.92, 3.18, 4820, 15_640]],
      ['TRAILERA', [0.71, 3.02, 3260, 18_900]],
      ['TRAILERB', [0.69, 2.97, 3180, 18_720]],
    ],
  ],
];

/** The calibrations, keyed by their millisecond, and the day of the first visit. */
export function demoCalibrations(
  vehicle: DemoVehicle,
  today: string,
  random: DemoRandom,
): { calibrations: Record<string, unknown>; firstDay: string | null } {
  const visits = vehicle.rego === 'XV04KL' ? fixedVisits(today) : drawnVisits(vehicle, today, random);
  const entries = visits.flatMap((visit) => visitEntries(visit, random));
  if (vehicle.technicianByEmail) entries.splice(0, 1, ...entries.slice(0, 1).map(namedByEmail));
  return { calibrations: Object.fromEntries(entries), firstDay: visits[0]?.day ?? null };
}

function fixedVisits(today: string): Visit[] {
  return XV04KL_VISITS.map(([daysAgo, minuteOfDay, axles]) => ({
    day: addDays(today, -daysAgo),
    minuteOfDay,
    technician: DEMO_TECHNICIANS[0],
    axles,
  }));
}

function drawnVisits(vehicle: DemoVehicle, today: string, random: DemoRandom): Visit[] {
  const technician = technicianFor(vehicle.place);
  const lines = AXLES[vehicle.axles].map((axle) => ({ axle, line: drawLine(axle, random) }));
  const days: string[] = [];
  for (
    let day = addDays(today, vehicle.dueIn - INTERVAL_DAYS);
    days.length < vehicle.visits;
    day = addDays(day, -random.whole(168, 196))
  )
    days.unshift(day);
  return days.map((day, index) => ({
    day,
    minuteOfDay: random.whole(7 * 60 + 30, 15 * 60 + 30),
    // Now and then another technician makes the visit.
    technician: random.whole(1, 9) === 1 ? random.pick(DEMO_TECHNICIANS) : technician,
    axles: lines.map(({ axle, line }) => {
      const moved = vehicle.newSensor && axle === 'DRIVE' && index === days.length - 1 ? 0.9 : 1;
      return [axle, read(axle, { ...line, slope: line.slope * moved * random.between(0.996, 1.004) }, random)] as const;
    }),
  }));
}

/** Of an axle group: kilograms a volt, and kilograms at 0 V. */
export type Line = { slope: number; offset: number };

export function drawLine(axle: Axle, random: DemoRandom): Line {
  const { empty, loaded, from, span } = RANGES[axle];
  const [light, heavy, volt] = [random.between(...empty), random.between(...loaded), random.between(...from)];
  const slope = (heavy - light) / random.between(...span);
  return { slope, offset: light - slope * volt };
}

/** A reading: weights rounded to 20 kg, as a weighbridge prints them, and the volts on the line for these weights. */
function read(axle: Axle, line: Line, random: DemoRandom): Reading {
  const middle = RANGES[axle];
  const light = (middle.empty[0] + middle.empty[1]) / 2;
  const emptyWeight = Math.round((light + random.between(-120, 120)) / 20) * 20;
  const loadedWeight = Math.round(random.between(...middle.loaded) / 20) * 20;
  const volt = (weight: number): number => Math.round(((weight - line.offset) / line.slope) * 100) / 100;
  const complete: Reading = [volt(emptyWeight), volt(loadedWeight), emptyWeight, loadedWeight];
  if (random.whole(1, 60) > 1) return complete;
  return [complete[0], null, complete[2], null];
}

function visitEntries(visit: Visit, random: DemoRandom): [string, Record<string, string>][] {
  const due = addDays(visit.day, INTERVAL_DAYS);
  let instant = instantOfDay(visit.day, ZONE).getTime() + visit.minuteOfDay * MINUTE + random.whole(2000, 50_000);
  const entries: [string, Record<string, string>][] = [];
  for (const [axle, reading] of visit.axles)
    for (const [index, attribute] of ATTRIBUTES.entries()) {
      const value = reading[index];
      if (value === null || value === undefined) continue;
      instant += random.whole(3000, 24_000);
      entries.push([
        String(instant),
        {
          calibration_date_time: localeTime(instant, random.whole(1, 12) === 1 ? 'en-US' : 'en-AU'),
          axle_type: axle,
          calibrating_technician: visit.technician.rep_name,
          calibration_due_date: due,
          calibration_attribute: attribute,
          calibration_value: attribute.endsWith('Volt') ? value.toFixed(2) : String(value),
        },
      ]);
    }
  return entries;
}

function namedByEmail([key, entry]: [string, Record<string, string>]): [string, Record<string, string>] {
  const email = DEMO_TECHNICIANS.find(({ rep_name: name }) => name === entry.calibrating_technician)?.email ?? '';
  return [key, { ...entry, calibrating_technician: email }];
}

// Places end with their state: 'Horsham, Vic'.
const TECHNICIAN_OF: Readonly<Record<string, number>> = { NSW: 1, ACT: 1, Qld: 2, SA: 3, NT: 3, WA: 4, Tas: 5 };

function technicianFor(place: string): Visit['technician'] {
  const state = place.split(', ').at(-1) ?? '';
  return DEMO_TECHNICIANS[TECHNICIAN_OF[state] ?? 0] ?? DEMO_TECHNICIANS[0];
}

const SHOWN = {
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZone: ZONE,
} as const;
const FORMATS = {
  'en-AU': new Intl.DateTimeFormat('en-AU', { ...SHOWN, month: '2-digit' }),
  'en-US': new Intl.DateTimeFormat('en-US', { ...SHOWN, month: 'numeric' }),
};

/** What toLocaleString() gave the former application: '5/08/2024, 11:24:45 am', or '8/5/2024, 11:24:45 AM'. */
function localeTime(instant: number, locale: keyof typeof FORMATS): string {
  return FORMATS[locale].format(instant).replaceAll('\u202f', ' ');
}
