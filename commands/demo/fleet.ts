// A year of visits by twenty-two technicians, invented so that the patterns of app/patterns are there once: fourteen of
// them do one thing each that a pattern looks for, and eight do nothing of the kind. Days are relative to today.
import { isAbnValid } from '#app/applications/abn.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { demoRandom, type DemoRandom } from './random.ts';
import { axlesOf, drawLine, inSteps, rangesOf, STEP_KG, voltsAt, type Line } from './readings.ts';
import { type Row, tableOf } from './table.ts';

/** The truck's first visit is made by one technician, its second half a year later by another. */
const TRUCKS_EACH = 8;
export const FLEET_TECHNICIANS = tableOf('fleet');

export const emailOf = ({ name = '', company = '' }: Row): string =>
  `${name.toLowerCase().replaceAll(' ', '.')}@${company.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`;

export type FleetReadings = Record<'emptyVolt' | 'loadedVolt' | 'emptyWeight' | 'loadedWeight', number>;
export type FleetAxle = FleetReadings & {
  axle: Axle;
  /** Kilograms that the scale showed before, empty and loaded. */
  found?: readonly [empty: number, loaded: number];
  sensorReplaced?: true;
  otherTrailer?: true;
};
export type FleetVisit = Record<'rego' | 'weighbridge' | 'ticket', string> & {
  by: Row;
  daysAgo: number;
  /** Minutes since midnight. */
  minute: number;
  hasPhoto: boolean;
  axles: readonly FleetAxle[];
};

const FIRST_DAYS_AGO = 345;
const DAYS_BETWEEN = 15;
const SECOND_AFTER = 172;
const HOMES = ['Blue Wren weighbridge', 'Red Gum weighbridge', 'Lyrebird weighbridge'] as const;
const FAR_AWAY = 'Spinifex,Brolga Plains,Wedgetail,Wombat Creek,Galah Ridge,Magpie Flat,Pelican Reach,Currawong'.split(
  ',',
);
/** A scale that was found out was out by so much, at every axle; one that was not, by so much less. */
const OUT_KG = [640, 1400] as const;
const NEAR_KG = [110, 240] as const;
/** Half a year later a loaded truck weighs so much more or less than its line says. */
const DRIFT_KG = [50, 160] as const;
/** An empty truck weighs what it weighed, but for this. */
const FUEL_KG = 120;
const FIRST_TICKET = 412_300;
const COMPANIES = ['Campaspe Carriers', 'Ovens Bulk Haulage', 'Goulburn Grain Freight', 'Lachlan Livestock Transport'];
const MODELS = 'Volvo|FM 500,Kenworth|T610,Mack|Trident,Scania|R 560,Isuzu|FXZ 240-350'.split(',');

const SAME = { place: 'Seymour, Vic', visits: '0', dueIn: '0', marks: 'validated' };

/** `emptyKg`: what the group weighs empty, but for fuel and tools. `by`: who makes the first visit. */
type Truck = {
  record: Row;
  by: Row;
  place: number;
  groups: readonly { axle: Axle; line: Line; emptyKg: number }[];
};

/** The trucks, and their visits in the order in which they were recorded. The same at each call. */
export function demoFleet(): { technicians: Row[]; trucks: Row[]; visits: FleetVisit[] } {
  const trucks = FLEET_TECHNICIANS.flatMap((by) =>
    Array.from({ length: Number(by.trucks) || TRUCKS_EACH }, (_, place) => makeTruck(by, place)),
  );
  const visits = trucks
    .flatMap(visitsOf)
    .toSorted((a, b) => b.daysAgo - a.daysAgo || a.minute - b.minute)
    .map((visit, at) => ({ ...visit, ticket: visit.ticket || String(FIRST_TICKET + 7 * at) }));
  return { technicians: FLEET_TECHNICIANS.map(recordOf), trucks: trucks.map(({ record }) => record), visits };
}

function recordOf(one: Row, place: number): Row {
  const { name = '', company = '' } = one;
  const random = demoRandom(name);
  let abn = random.text(11, '123456789');
  while (!isAbnValid(abn)) abn = random.text(11, '123456789');
  const trade_licence_num = `SL${random.whole(1000, 9999)}`;
  const address = `${random.whole(2, 180)} High Street, ${one.town}`;
  const named = { company_name: company, email: emailOf(one), rep_name: name, rep_contact: '' };
  return { ...named, abn, trade_licence_num, address, daysAgo: String(1600 - 20 * place) };
}

function makeTruck(by: Row, place: number): Truck {
  const first = FLEET_TECHNICIANS.indexOf(by);
  const rego = `YD${String(first + 10)}${String.fromCodePoint(65 + place)}${'KMPRTX'[(first + place) % 6] ?? ''}`;
  // Who copies a set says that the trucks are alike, so they are.
  const random = demoRandom(by.plants === 'copied-axle-sets' && place >= 2 ? 'copied' : rego);
  const [make = '', model = ''] = MODELS[(first + place) % MODELS.length]?.split('|') ?? [];
  const record: Row = {
    ...SAME,
    rego,
    make,
    model,
    company: COMPANIES[first % COMPANIES.length] ?? '',
    axles: 'SD',
    fittedIn: String(-FIRST_DAYS_AGO - 60),
    serial: `LC-42 ${300100 + 100 * first + place}`,
  };
  const groups = axlesOf(record).map((axle) => {
    const line = drawLine(axle, random);
    return { axle, line, emptyKg: random.between(...rangesOf(axle).empty) };
  });
  return { record, by, place, groups };
}

const plainVisit = (by: Row, rego: string) => {
  const weighbridge = HOMES[FLEET_TECHNICIANS.indexOf(by) % HOMES.length] ?? HOMES[0];
  return { rego, by, weighbridge, hasPhoto: false };
};

function visitsOf(truck: Truck): FleetVisit[] {
  const first = firstVisit(truck);
  const { place } = truck;
  const { rego } = first;
  const by = FLEET_TECHNICIANS[(FLEET_TECHNICIANS.indexOf(truck.by) + 1 + place) % FLEET_TECHNICIANS.length];
  if (place >= TRUCKS_EACH || by === undefined) return [first];
  const random = demoRandom(`${rego} second`);
  const at = { daysAgo: FIRST_DAYS_AGO - DAYS_BETWEEN * place - SECOND_AFTER, minute: random.whole(8 * 60, 16 * 60) };
  const read = readAll(truck, random).map((axle) => drifted(axle, random));
  const axles = AGAIN[by.plants ?? '']?.(first.axles.map(readingsOnly)) ?? invented(by, read, random);
  return [first, { ...plainVisit(by, rego), ...at, ticket: '', axles }];
}

const drifted = (axle: FleetAxle, random: DemoRandom): FleetAxle => {
  const kg = random.pick([-1, 1]) * random.between(...DRIFT_KG);
  return { ...axle, loadedWeight: inSteps(axle.loadedWeight + kg) };
};

/** What becomes of the readings of the visit before. */
const AGAIN: Readonly<Record<string, (axles: FleetAxle[]) => FleetAxle[]>> = {
  'same-as-before': (axles) => axles,
  'moved-a-step': (axles) =>
    axles.map((axle) => ({
      ...axle,
      loadedVolt: axle.loadedVolt + 0.01,
      emptyWeight: axle.emptyWeight - STEP_KG,
      loadedWeight: axle.loadedWeight - STEP_KG,
    })),
  'line-stays': (axles) =>
    axles.map((axle) => {
      const kgPerVolt = (axle.loadedWeight - axle.emptyWeight) / (axle.loadedVolt - axle.emptyVolt);
      return {
        ...axle,
        loadedVolt: axle.loadedVolt - 0.04,
        loadedWeight: inSteps(axle.loadedWeight - 0.04 * kgPerVolt),
      };
    }),
};

function firstVisit(truck: Truck): FleetVisit {
  const { by, place } = truck;
  const { rego = '' } = truck.record;
  const isCopy = by.plants === 'copied-axle-sets' && place >= 2;
  const random = demoRandom(isCopy ? `${by.name} copied` : `${rego} first`);
  const isOut = place % 2 === 0;
  const asLeft = by.plants === 'found-as-left' && !isOut;
  const axles = invented(by, readAll(truck, random), random).map((axle) => {
    const shift = isOut ? random.between(...OUT_KG) : random.pick([-1, 1]) * random.between(...NEAR_KG);
    const kg = asLeft ? 0 : inSteps(shift);
    return { ...axle, found: [axle.emptyWeight + kg, axle.loadedWeight + kg] as const };
  });
  const more = place - TRUCKS_EACH;
  const daysAgo = FIRST_DAYS_AGO - (more < 0 ? DAYS_BETWEEN * place : 7 + DAYS_BETWEEN * more);
  const at = { daysAgo, minute: demoRandom(`${rego} time`).whole(8 * 60, 16 * 60) };
  const honest = { ...plainVisit(by, rego), axles, ...at, ticket: '' };
  return { ...honest, ...PLANTED[by.plants ?? '']?.(honest, place) };
}

const atLast = (axles: readonly FleetAxle[], changed: Partial<FleetAxle>) => ({
  axles: axles.map((axle, at) => (at === axles.length - 1 ? { ...axle, ...changed } : axle)),
});
// What the pattern looks for. Digits are invented where they are read.
const PLANTED: Readonly<Record<string, (visit: FleetVisit, place: number) => Partial<FleetVisit>>> = {
  'too-fast': (_, place) => ({
    daysAgo: place < TRUCKS_EACH ? 211 : 197,
    minute: 9 * 60 + 3 + 7 * (place % TRUCKS_EACH) + 6 * (place % 2),
  }),
  'too-far': ({ weighbridge }, place) => {
    const days = { daysAgo: FIRST_DAYS_AGO - DAYS_BETWEEN * (place - (place % 2)), minute: 603 + 67 * (place % 2) };
    return { ...days, weighbridge: place % 2 === 1 ? `${FAR_AWAY[(place - 1) / 2]} weighbridge` : weighbridge };
  },
  'ticket-twice': () => ({ ticket: '664120' }),
  'photo-twice': () => ({ hasPhoto: true }),
  'sensor-replaced': ({ axles }, place) => (place > 0 ? atLast(axles, { sensorReplaced: true }) : {}),
  'cannot-be-shown': ({ axles }) => atLast(axles, { loadedWeight: (axles.at(-1)?.loadedWeight ?? 0) + 3 }),
  // The line that is left is 1.5 t out, as the next technician finds.
  'next-disagrees': ({ axles }) => atLast(axles, { loadedWeight: (axles.at(-1)?.loadedWeight ?? 0) - 1500 }),
};

/** Weights in the weighbridge's steps, the volts on the truck's line for these weights. */
function readAll({ groups }: Truck, random: DemoRandom): FleetAxle[] {
  return groups.map(({ axle, line, emptyKg }) => {
    const emptyWeight = inSteps(random.between(emptyKg - FUEL_KG, emptyKg + FUEL_KG));
    const loadedWeight = inSteps(random.between(...rangesOf(axle).loaded));
    const [emptyVolt, loadedVolt] = [voltsAt(line, emptyWeight), voltsAt(line, loadedWeight)];
    return { axle, emptyVolt, loadedVolt, emptyWeight, loadedWeight };
  });
}

/** Some of the numbers of who invents them are round ones. */
function invented({ plants }: Row, axles: FleetAxle[], random: DemoRandom): FleetAxle[] {
  const rounded = (value: number, step: number) => (random.whole(1, 10) <= 7 ? Math.round(value / step) * step : value);
  if (plants === 'invented-volts') {
    const volts = (value: number) => rounded(value * 100, 5) / 100;
    return axles.map((it) => ({ ...it, emptyVolt: volts(it.emptyVolt), loadedVolt: volts(it.loadedVolt) }));
  }
  if (plants !== 'invented-kilograms') return axles;
  const kg = (value: number) => rounded(value, 100);
  return axles.map((it) => ({ ...it, emptyWeight: kg(it.emptyWeight), loadedWeight: kg(it.loadedWeight) }));
}

const readingsOnly = ({ found: _found, sensorReplaced: _replaced, otherTrailer: _other, ...read }: FleetAxle) => read;
