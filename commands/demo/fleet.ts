// A year of visits by twenty-two technicians, invented so that each pattern of app/patterns is there once: thirteen of
// them do one thing each that a pattern looks for, and nine do nothing of the kind. Days are relative to today.
import { isAbnValid } from '#app/applications/abn.ts';
import { PATTERN_KINDS, type PatternKind } from '#app/patterns/pattern.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import type { MoreRecords } from './export.ts';
import type { DemoCompany } from './people.ts';
import { demoRandom, type DemoRandom } from './random.ts';
import { axlesOf, drawLine, inSteps, RANGES, STEP_KG, voltsAt, type Line } from './readings.ts';
import { tableOf } from './table.ts';
import type { DemoTruck } from './trucks.ts';

export type FleetTechnician = { name: string; company: string; town: string; plants: PatternKind | undefined };

/** Who plants what. */
export const FLEET_TECHNICIANS: readonly FleetTechnician[] = tableOf('fleet').map(
  ({ name = '', company = '', town = '', plants }) => ({
    name,
    company,
    town,
    plants: PATTERN_KINDS.find((kind) => kind === plants),
  }),
);

export const emailOf = ({ name, company }: FleetTechnician): string =>
  `${name.toLowerCase().replaceAll(' ', '.')}@${company.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`;

export type FleetAxle = {
  axle: Axle;
  emptyVolt: number;
  loadedVolt: number;
  emptyWeight: number;
  loadedWeight: number;
  /** Kilograms that the scale showed before, empty and loaded. */
  found?: readonly [empty: number, loaded: number];
  sensorReplaced?: true;
  otherTrailer?: true;
};
export type FleetVisit = {
  rego: string;
  by: FleetTechnician;
  daysAgo: number;
  /** Minutes since midnight. */
  minute: number;
  weighbridge: string;
  ticket: string;
  hasPhoto: boolean;
  axles: readonly FleetAxle[];
};

/** The truck's first visit is made by one technician, its second half a year later by another. */
const TRUCKS_EACH = 8;
/** Some patterns need more to be told from chance. */
const MORE_TRUCKS: Partial<Record<PatternKind, number>> = {
  'never-found-out': 22,
  'found-as-left': 12,
  'too-fast': 10,
  'too-far': 10,
};
const FIRST_DAYS_AGO = 345;
const DAYS_BETWEEN = 15;
const SECOND_AFTER = 172;
const HOMES = ['Blue Wren weighbridge', 'Red Gum weighbridge', 'Lyrebird weighbridge'] as const;
const FAR_AWAY = 'Spinifex weighbridge';
/** A scale that was found out was out by so much, at every axle; one that was not, by at most NEAR_KG. */
const OUT_KG = [640, 1400] as const;
const NEAR_KG = 140;
/** An empty truck weighs what it weighed, but for this. */
const FUEL_KG = 120;
const COMPANIES = ['Campaspe Carriers', 'Ovens Bulk Haulage', 'Goulburn Grain Freight', 'Lachlan Livestock Transport'];
const MODELS = 'Volvo|FM 500,Kenworth|T610,Mack|Trident,Scania|R 560,Isuzu|FXZ 240-350'.split(',');

/** `emptyKg`: what the group weighs empty, but for fuel and tools. `by`: who makes the first visit. */
type Truck = {
  record: DemoTruck;
  by: FleetTechnician;
  place: number;
  groups: readonly { axle: Axle; line: Line; emptyKg: number }[];
};

/** The trucks, and their visits in the order in which they were recorded. The same at each call. */
export function demoFleet(): { trucks: readonly DemoTruck[]; visits: readonly FleetVisit[] } {
  const trucks = FLEET_TECHNICIANS.flatMap((by) => {
    const count = (by.plants === undefined ? undefined : MORE_TRUCKS[by.plants]) ?? TRUCKS_EACH;
    return Array.from({ length: count }, (_, place) => makeTruck(by, place));
  });
  const visits = trucks.flatMap((truck) => visitsOf(truck));
  return {
    trucks: trucks.map(({ record }) => record),
    visits: visits.toSorted((a, b) => b.daysAgo - a.daysAgo || a.minute - b.minute),
  };
}

/** The technicians and the trucks, for the import. */
export const fleetRecords = (): MoreRecords => ({
  technicians: FLEET_TECHNICIANS.map(recordOf),
  trucks: demoFleet().trucks,
});

function recordOf(one: FleetTechnician, place: number): DemoCompany {
  const random = demoRandom(one.name);
  let abn = random.text(11, '123456789');
  while (!isAbnValid(abn)) abn = random.text(11, '123456789');
  const trade_licence_num = `SL${random.whole(1000, 9999)}`;
  const address = `${random.whole(2, 180)} High Street, ${one.town}`;
  const named = { company_name: one.company, email: emailOf(one), rep_name: one.name, rep_contact: '' };
  return { ...named, abn, trade_licence_num, address, daysAgo: String(1600 - 20 * place) };
}

function makeTruck(by: FleetTechnician, place: number): Truck {
  const first = FLEET_TECHNICIANS.indexOf(by);
  const rego = `YD${String(first + 10)}${String.fromCodePoint(65 + place)}${'KMPRTX'[(first + place) % 6] ?? ''}`;
  // Who copies a set says that the trucks are alike, so they are.
  const random = demoRandom(by.plants === 'copied-axle-sets' && place >= 2 ? 'copied' : rego);
  const [make = '', model = ''] = MODELS[(first + place) % MODELS.length]?.split('|') ?? [];
  const record: DemoTruck = {
    rego,
    make,
    model,
    place: 'Seymour, Vic',
    visits: '0',
    dueIn: '0',
    marks: 'validated',
    company: COMPANIES[first % COMPANIES.length] ?? '',
    axles: by.plants === 'other-trailer' ? 'SDA' : 'SD',
    fittedIn: String(-FIRST_DAYS_AGO - 60),
    serial: `LC-42 ${300100 + 100 * first + place}`,
  };
  const groups = axlesOf(record).map((axle) => {
    const line = drawLine(axle, random);
    return { axle, line, emptyKg: random.between(...RANGES[axle].empty) };
  });
  return { record, by, place, groups };
}

function visitsOf(truck: Truck): FleetVisit[] {
  const first = firstVisit(truck);
  const { place } = truck;
  const { rego } = first;
  const by = FLEET_TECHNICIANS[(FLEET_TECHNICIANS.indexOf(truck.by) + 1 + place) % FLEET_TECHNICIANS.length];
  if (place >= TRUCKS_EACH || by === undefined) return [first];
  const random = demoRandom(`${rego} second`);
  const read = readAll(truck, random);
  const second = {
    rego,
    by,
    hasPhoto: false,
    weighbridge: homeOf(by),
    daysAgo: FIRST_DAYS_AGO - DAYS_BETWEEN * place - SECOND_AFTER,
    minute: random.whole(8 * 60, 16 * 60),
    ticket: ticketFrom(random),
    axles: by.plants === 'same-as-before' ? first.axles.map(readingsOnly) : invented(by, read, random),
  };
  return [first, second];
}

function firstVisit(truck: Truck): FleetVisit {
  const { by, place } = truck;
  const { rego = '' } = truck.record;
  const isCopy = by.plants === 'copied-axle-sets' && place >= 2;
  const random = demoRandom(isCopy ? `${by.name} copied` : `${rego} first`);
  const isOut = place % 2 === 0 && by.plants !== 'never-found-out';
  const asLeft = by.plants === 'found-as-left' && !isOut;
  const axles = invented(by, readAll(truck, random), random).map((axle) => {
    const shift = isOut ? random.between(...OUT_KG) : random.between(-NEAR_KG, NEAR_KG);
    const kg = asLeft ? 0 : inSteps(shift) || STEP_KG;
    return { ...axle, found: [axle.emptyWeight + kg, axle.loadedWeight + kg] as const };
  });
  const more = place - TRUCKS_EACH;
  const honest = {
    rego,
    by,
    axles,
    hasPhoto: false,
    weighbridge: homeOf(by),
    daysAgo: FIRST_DAYS_AGO - (more < 0 ? DAYS_BETWEEN * place : 7 + DAYS_BETWEEN * more),
    minute: demoRandom(`${rego} time`).whole(8 * 60, 16 * 60),
    ticket: ticketFrom(demoRandom(`${rego} ticket`)),
  };
  return planted(honest, place);
}

// What the pattern looks for. Digits are invented where they are read.
function planted(visit: FleetVisit, place: number): FleetVisit {
  const change = (changed: Partial<FleetAxle>): FleetVisit => ({
    ...visit,
    axles: visit.axles.map((axle, at) => (at === visit.axles.length - 1 ? { ...axle, ...changed } : axle)),
  });
  switch (visit.by.plants) {
    case 'too-fast':
      return { ...visit, daysAgo: 211, minute: 9 * 60 + 3 + 5 * place };
    case 'too-far': {
      const second = place % 2;
      const daysAgo = FIRST_DAYS_AGO - DAYS_BETWEEN * (place - second);
      const weighbridge = second === 1 ? FAR_AWAY : visit.weighbridge;
      return { ...visit, daysAgo, minute: 603 + 67 * second, weighbridge };
    }
    case 'ticket-twice':
      return { ...visit, ticket: '664120' };
    case 'photo-twice':
      return { ...visit, hasPhoto: true };
    case 'sensor-replaced':
      return place > 0 ? change({ sensorReplaced: true }) : visit;
    case 'other-trailer':
      return place > 0 ? change({ otherTrailer: true }) : visit;
    case 'next-disagrees':
      // The line that is left is 1.5 t out, as the next technician finds.
      return change({ loadedWeight: (visit.axles.at(-1)?.loadedWeight ?? 0) - 1500 });
    default:
      return visit;
  }
}

/** Weights in the weighbridge's steps, the volts on the truck's line for these weights. */
function readAll({ groups }: Truck, random: DemoRandom): FleetAxle[] {
  return groups.map(({ axle, line, emptyKg }) => {
    const emptyWeight = inSteps(random.between(emptyKg - FUEL_KG, emptyKg + FUEL_KG));
    const loadedWeight = inSteps(random.between(...RANGES[axle].loaded));
    const [emptyVolt, loadedVolt] = [voltsAt(line, emptyWeight), voltsAt(line, loadedWeight)];
    return { axle, emptyVolt, loadedVolt, emptyWeight, loadedWeight };
  });
}

/** Some of the numbers of who invents them are round ones. */
function invented({ plants }: FleetTechnician, axles: FleetAxle[], random: DemoRandom): FleetAxle[] {
  const rounded = (value: number, step: number) => (random.whole(1, 10) <= 7 ? Math.round(value / step) * step : value);
  if (plants === 'invented-volts') {
    const volts = (value: number) => rounded(value * 100, 5) / 100;
    return axles.map((it) => ({ ...it, emptyVolt: volts(it.emptyVolt), loadedVolt: volts(it.loadedVolt) }));
  }
  if (plants !== 'invented-kilograms') return axles;
  const kg = (value: number) => rounded(value, 100);
  return axles.map((it) => ({ ...it, emptyWeight: kg(it.emptyWeight), loadedWeight: kg(it.loadedWeight) }));
}

const readingsOnly = ({ axle, emptyVolt, loadedVolt, emptyWeight, loadedWeight }: FleetAxle): FleetAxle => ({
  axle,
  emptyVolt,
  loadedVolt,
  emptyWeight,
  loadedWeight,
});

const homeOf = (who: FleetTechnician): string => HOMES[FLEET_TECHNICIANS.indexOf(who) % HOMES.length] ?? HOMES[0];
const ticketFrom = (random: DemoRandom): string => String(random.whole(100_000, 999_999));
