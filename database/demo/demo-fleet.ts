// A year of visits by twenty-two technicians, invented so that each pattern of app/patterns is there once: thirteen of them
// do one thing each that a pattern looks for, and nine do nothing of the kind. Days are relative to today.
import type { PatternKind } from '#app/patterns/pattern.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { isAbnValid } from '#app/applications/abn.ts';
import type { MoreRecords } from './demo-export.ts';
import type { DemoTechnicianRecord } from './demo-people.ts';
import { demoRandom, type DemoRandom } from './demo-random.ts';
import type { DemoVehicle } from './demo-vehicles.ts';
import { drawLine, RANGES, type Line } from './demo-visits.ts';

export type DemoTechnician = { name: string; company: string; town: string; plants: PatternKind | undefined };

/** Who plants what. Everybody is invented. */
export const FLEET_TECHNICIANS: readonly DemoTechnician[] = [
  technician('Piotr Zielinski', 'Axleline', 'Bendigo VIC', 'copied-axle-sets'),
  technician('Noor Haddad', 'Plains Scale Service', 'Dubbo NSW', undefined),
  technician('Kirra Baxter', 'Deniliquin Weighing', 'Deniliquin NSW', 'same-as-before'),
  technician('Trent Vella', 'Loadright', 'Shepparton VIC', undefined),
  technician('Owen Sharp', 'Sharp Calibrations', 'Albury NSW', 'invented-volts'),
  technician('Mei Tan', 'Overland Scales', 'Ballarat VIC', undefined),
  technician('Glenn Stokes', 'Stokes & Daughter', 'Echuca VIC', 'invented-kilograms'),
  technician('Sofia Marino', 'Riverside On-Board', 'Mildura VIC', undefined),
  technician('Barry Quill', 'Quill Weighing', 'Griffith NSW', 'never-found-out'),
  technician('Amara Osei', 'Tri-State Scales', 'Wodonga VIC', undefined),
  technician('Dean Purcell', 'Purcell Load Systems', 'Horsham VIC', 'found-as-left'),
  technician('Hana Sato', 'Truescale', 'Geelong VIC', undefined),
  technician('Craig Nolan', 'Nolan Axle Weighing', 'Wangaratta VIC', 'sensor-replaced'),
  technician('Tess Gallagher', 'Gallagher Scales', 'Warrnambool VIC', undefined),
  technician('Rashid Karim', 'Murray Load Cells', 'Swan Hill VIC', 'other-trailer'),
  technician('Jodie Lang', 'Lang Weigh Tech', 'Traralgon VIC', undefined),
  technician('Vince Romano', 'Express Calibrations', 'Seymour VIC', 'too-fast'),
  technician('Bronwyn Pike', 'Wimmera Scales', 'Stawell VIC', undefined),
  technician('Luke Farrant', 'Nationwide On-Board', 'Tullamarine VIC', 'too-far'),
  technician('Cody Marsh', 'Marsh Weighing', 'Colac VIC', 'ticket-twice'),
  technician('Anita Bose', 'Hume Scale Service', 'Yass NSW', 'photo-twice'),
  technician('Wade Ellery', 'Ellery Axle Scales', 'Cobram VIC', 'next-disagrees'),
];

export const emailOf = ({ name, company }: DemoTechnician): string =>
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
  by: DemoTechnician;
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
const STEP_KG = 20;
/** A scale that was found out was out by so much, at every axle; one that was not, by at most NEAR_KG. */
const OUT_KG = [640, 1400] as const;
const NEAR_KG = 140;
/** An empty truck weighs what it weighed, but for this. */
const FUEL_KG = 120;

const COMPANIES = ['Campaspe Carriers', 'Ovens Bulk Haulage', 'Goulburn Grain Freight', 'Lachlan Livestock Transport'];
const MODELS = [
  ['Volvo', 'FM 500'],
  ['Kenworth', 'T610'],
  ['Mack', 'Trident'],
  ['Scania', 'R 560'],
  ['Isuzu', 'FXZ 240-350'],
] as const;

/** `emptyKg`: what the group weighs empty, but for fuel and tools. */
type Group = { axle: Axle; line: Line; emptyKg: number };
type Truck = { vehicle: DemoVehicle; first: number; place: number; lines: readonly Group[] };

export type DemoFleet = { vehicles: readonly DemoVehicle[]; visits: readonly FleetVisit[] };

/** The trucks, and their visits in the order in which they were recorded. The same at each call. */
export function demoFleet(): DemoFleet {
  const trucks = FLEET_TECHNICIANS.flatMap(({ plants }, first) => {
    const count = (plants === undefined ? undefined : MORE_TRUCKS[plants]) ?? TRUCKS_EACH;
    return Array.from({ length: count }, (_, place) => makeTruck(first, place));
  });
  const visits = trucks.flatMap((truck) => visitsOf(truck));
  return {
    vehicles: trucks.map(({ vehicle }) => vehicle),
    visits: visits.toSorted((a, b) => b.daysAgo - a.daysAgo || a.minute - b.minute),
  };
}

/** The technicians and the trucks, for the import. */
export const fleetRecords = (): MoreRecords => ({
  technicians: FLEET_TECHNICIANS.map(recordOf),
  vehicles: demoFleet().vehicles,
});

function recordOf(one: DemoTechnician, place: number): DemoTechnicianRecord {
  const random = demoRandom(one.name);
  return {
    company_name: one.company,
    abn: drawAbn(random),
    trade_licence_num: `SL${random.whole(1000, 9999)}`,
    address: `${random.whole(2, 180)} High Street, ${one.town}`,
    email: emailOf(one),
    rep_name: one.name,
    rep_contact: '',
    daysAgo: 1600 - 20 * place,
  };
}

function drawAbn(random: DemoRandom): string {
  for (;;) {
    const abn = random.text(11, '123456789');
    if (isAbnValid(abn)) return abn;
  }
}

function technician(name: string, company: string, town: string, plants: PatternKind | undefined): DemoTechnician {
  return { name, company, town, plants };
}

function makeTruck(first: number, place: number): Truck {
  const rego = `YD${String(first + 10)}${String.fromCodePoint(65 + place)}${'KMPRTX'[(first + place) % 6] ?? ''}`;
  const { plants } = FLEET_TECHNICIANS[first] ?? {};
  // Whoever copies a set says that the trucks are alike, so they are.
  const alike = plants === 'copied-axle-sets' && place >= 2;
  const random = demoRandom(alike ? 'copied' : rego);
  const axles: readonly Axle[] = plants === 'other-trailer' ? ['STEER', 'DRIVE', 'TRAILERA'] : ['STEER', 'DRIVE'];
  const lines = axles.map((axle) => ({
    axle,
    line: drawLine(axle, random),
    emptyKg: random.between(...RANGES[axle].empty),
  }));
  const [make, model] = MODELS[(first + place) % MODELS.length] ?? MODELS[0];
  return {
    first,
    place,
    lines,
    vehicle: {
      rego,
      make,
      model,
      company: COMPANIES[first % COMPANIES.length] ?? '',
      place: 'Seymour, Vic',
      axles: axles.length > 2 ? 'SDA' : 'SD',
      visits: 0,
      dueIn: 0,
      fittedIn: -FIRST_DAYS_AGO - 60,
      validated: true,
      serial: `LC-42 ${300_100 + 100 * first + place}`,
    },
  };
}

function visitsOf(truck: Truck): FleetVisit[] {
  const { first, place } = truck;
  const one = firstVisit(truck);
  if (place >= TRUCKS_EACH) return [one];
  const by = FLEET_TECHNICIANS[(first + 1 + place) % FLEET_TECHNICIANS.length];
  if (by === undefined) throw new Error('nobody makes the second visit');
  const { rego } = truck.vehicle;
  const random = demoRandom(`${rego} second`);
  const read = readAll(truck, random);
  const second: FleetVisit = {
    rego,
    by,
    daysAgo: FIRST_DAYS_AGO - DAYS_BETWEEN * place - SECOND_AFTER,
    minute: random.whole(8 * 60, 16 * 60),
    weighbridge: homeOf(by),
    ticket: ticketFrom(random),
    hasPhoto: false,
    axles: by.plants === 'same-as-before' ? one.axles.map(readingsOnly) : invented(by, read, random),
  };
  return [one, second];
}

function firstVisit(truck: Truck): FleetVisit {
  const { first, place } = truck;
  const by = FLEET_TECHNICIANS[first];
  if (by === undefined) throw new Error('nobody makes the first visit');
  const { rego } = truck.vehicle;
  const isCopy = by.plants === 'copied-axle-sets' && place >= 2;
  const random = demoRandom(isCopy ? `${by.name} copied` : `${rego} first`);
  const isOut = place % 2 === 0 && by.plants !== 'never-found-out';
  const asLeft = by.plants === 'found-as-left' && !isOut;
  const axles = invented(by, readAll(truck, random), random).map((axle) => {
    const shift = isOut ? random.between(...OUT_KG) : random.between(-NEAR_KG, NEAR_KG);
    const kg = asLeft ? 0 : (Math.round(shift / STEP_KG) || 1) * STEP_KG;
    return { ...axle, found: [axle.emptyWeight + kg, axle.loadedWeight + kg] as const };
  });
  const day = FIRST_DAYS_AGO - DAYS_BETWEEN * place;
  const honest: FleetVisit = {
    rego,
    by,
    daysAgo: place < TRUCKS_EACH ? day : FIRST_DAYS_AGO - 7 - DAYS_BETWEEN * (place - TRUCKS_EACH),
    minute: demoRandom(`${rego} time`).whole(8 * 60, 16 * 60),
    weighbridge: homeOf(by),
    ticket: ticketFrom(demoRandom(`${rego} ticket`)),
    hasPhoto: false,
    axles,
  };
  return planted(honest, place);
}

// What the pattern looks for. Digits are invented where they are read.
function planted(visit: FleetVisit, place: number): FleetVisit {
  const { plants } = visit.by;
  if (plants === 'too-fast') return { ...visit, daysAgo: 211, minute: 9 * 60 + 3 + 5 * place };
  if (plants === 'too-far') {
    const isAway = place % 2 === 1;
    const day = FIRST_DAYS_AGO - DAYS_BETWEEN * (place - (place % 2));
    return {
      ...visit,
      daysAgo: day,
      minute: 603 + 67 * (place % 2),
      weighbridge: isAway ? FAR_AWAY : visit.weighbridge,
    };
  }
  if (plants === 'ticket-twice') return { ...visit, ticket: '664120' };
  if (plants === 'photo-twice') return { ...visit, hasPhoto: true };
  const last = visit.axles.length - 1;
  const change = (changed: Partial<FleetAxle>): FleetVisit => ({
    ...visit,
    axles: visit.axles.map((axle, at) => (at === last ? { ...axle, ...changed } : axle)),
  });
  if (plants === 'sensor-replaced' && place > 0) return change({ sensorReplaced: true });
  if (plants === 'other-trailer' && place > 0) return change({ otherTrailer: true });
  // The line that is left is 1.5 t out, as the next technician finds.
  if (plants === 'next-disagrees') return change({ loadedWeight: (visit.axles[last]?.loadedWeight ?? 0) - 1500 });
  return visit;
}

/** Weights in the weighbridge's steps, the volts on the truck's line for these weights. */
function readAll({ lines }: Truck, random: DemoRandom): FleetAxle[] {
  return lines.map(({ axle, line, emptyKg }) => {
    const kg = (range: readonly [number, number]) => Math.round(random.between(...range) / STEP_KG) * STEP_KG;
    const [emptyWeight, loadedWeight] = [kg([emptyKg - FUEL_KG, emptyKg + FUEL_KG]), kg(RANGES[axle].loaded)];
    const volts = (weight: number) => Math.round(((weight - line.offset) / line.slope) * 100) / 100;
    return { axle, emptyVolt: volts(emptyWeight), loadedVolt: volts(loadedWeight), emptyWeight, loadedWeight };
  });
}

/** Some of the numbers of who invents them are round ones. */
function invented({ plants }: DemoTechnician, axles: FleetAxle[], random: DemoRandom): FleetAxle[] {
  const rounded = (value: number, step: number) => (random.whole(1, 10) <= 7 ? Math.round(value / step) * step : value);
  if (plants === 'invented-volts')
    return axles.map((axle) => ({
      ...axle,
      emptyVolt: rounded(axle.emptyVolt * 100, 5) / 100,
      loadedVolt: rounded(axle.loadedVolt * 100, 5) / 100,
    }));
  if (plants === 'invented-kilograms')
    return axles.map((axle) => ({
      ...axle,
      emptyWeight: rounded(axle.emptyWeight, 5 * STEP_KG),
      loadedWeight: rounded(axle.loadedWeight, 5 * STEP_KG),
    }));
  return axles;
}

const readingsOnly = ({ axle, emptyVolt, loadedVolt, emptyWeight, loadedWeight }: FleetAxle): FleetAxle => ({
  axle,
  emptyVolt,
  loadedVolt,
  emptyWeight,
  loadedWeight,
});

const homeOf = (who: DemoTechnician): string => HOMES[FLEET_TECHNICIANS.indexOf(who) % HOMES.length] ?? HOMES[0];
const ticketFrom = (random: DemoRandom): string => String(random.whole(100_000, 999_999));
