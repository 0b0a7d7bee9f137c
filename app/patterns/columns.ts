// The sample as columns of numbers, filled visit by visit, so that the rows of the database need not be held.
//
// Buys: a million axle groups take 36 MB and not 200, and a pattern reads them without following pointers. Deletable when the
// nightly look fits into its memory with the visits as they are.
import { AXLES } from '#app/vehicles/axle.ts';
import { float64, int32, numbering } from './growing.ts';
import { hashOfText } from './hash.ts';
import { orderVisits, type Order } from './order-visits.ts';
import type { SampleAxle, SampleVisit } from './sample.ts';

/** No as-found reading. */
export const NONE = -0x8000_0000;
export const SENSOR_REPLACED = 1;
export const OTHER_TRAILER = 2;

type AxleColumns = {
  /** Index into AXLES. */
  axle: Int32Array;
  emptyVolt: Int32Array;
  emptyWeight: Int32Array;
  loadedVolt: Int32Array;
  loadedWeight: Int32Array;
  foundEmpty: Int32Array;
  foundLoaded: Int32Array;
  /** SENSOR_REPLACED and OTHER_TRAILER, added. */
  change: Int32Array;
};

type VisitColumns = {
  technician: Int32Array;
  vehicle: Int32Array;
  /** -1: none is recorded. */
  make: Int32Array;
  /** -1: not a weighbridge of the register. */
  place: Int32Array;
  /** Milliseconds since 1970. */
  at: Float64Array;
  /** 1: the time is stated, not only the day. */
  hasTime: Int32Array;
  isComplete: Int32Array;
  /** What stands for place and ticket, and for the photo's bytes; 0: none. */
  ticket: Float64Array;
  photo: Float64Array;
  /** Digits of the ticket's number. */
  ticketDigits: Int32Array;
  /** The perceptual hash in two halves; both 0: none. */
  dhashHigh: Int32Array;
  dhashLow: Int32Array;
};

export type Names = {
  visits: number;
  ids: readonly string[];
  technicians: readonly string[];
  vehicles: number;
  places: readonly { latitude: number; longitude: number }[];
};

/** Technicians, trucks, makes and places by index. The groups of visit v are axleFrom[v] to axleFrom[v + 1], end excluded. */
export type Columns = Names & AxleColumns & VisitColumns & { axleFrom: Int32Array } & Order;

export type Filling = { add: (visit: SampleVisit) => void; done: () => Columns };

/** 'n/a' and '12' are no numbers of a ticket. */
const FEWEST_DIGITS = 3;

/** Columns to be filled, in any order. */
export function startColumns(): Filling {
  const axles = startAxles();
  const ids: string[] = [];
  const places: { latitude: number; longitude: number }[] = [];
  const [technicians, vehicles, makes, placeIds] = [numbering(), numbering(), numbering(), numbering()];
  const [technician, vehicle, make, place] = [int32(), int32(), int32(), int32()];
  const [hasTime, isComplete] = [int32(), int32()];
  const [at, ticket, photo] = [float64(), float64(), float64()];
  const [ticketDigits, dhashHigh, dhashLow, axleFrom] = [int32(), int32(), int32(), int32()];

  const add = (visit: SampleVisit): void => {
    ids.push(visit.id);
    technician.push(technicians.of(visit.technician));
    vehicle.push(vehicles.of(visit.vehicle));
    make.push(visit.make === '' ? -1 : makes.of(visit.make.toLowerCase()));
    const known = visit.place === null ? -1 : placeIds.of(visit.place.id);
    place.push(known);
    if (visit.place !== null && known === places.length)
      places.push({ latitude: visit.place.latitude, longitude: visit.place.longitude });
    at.push(visit.at);
    hasTime.push(visit.hasTime ? 1 : 0);
    isComplete.push(visit.isComplete ? 1 : 0);
    const digits = visit.ticket.replaceAll(/\D/g, '').length;
    const hasTicket = known !== -1 && digits >= FEWEST_DIGITS;
    ticket.push(hasTicket ? hashOfText(`${known} ${visit.ticket.trim().toLowerCase()}`) : 0);
    ticketDigits.push(digits);
    photo.push(visit.photo === null ? 0 : hashOfText(visit.photo.sha256));
    const dhash = visit.photo?.dhash ?? '';
    dhashHigh.push(halfOf(dhash.slice(0, -8)));
    dhashLow.push(halfOf(dhash.slice(-8)));
    axleFrom.push(axles.count());
    for (const one of visit.axles) axles.add(one);
  };

  const done = (): Columns => {
    axleFrom.push(axles.count());
    const names = { visits: ids.length, ids, technicians: technicians.names, vehicles: vehicles.names.length, places };
    const own = { technician: technician.cut(), vehicle: vehicle.cut(), at: at.cut() };
    return {
      ...names,
      ...own,
      make: make.cut(),
      place: place.cut(),
      hasTime: hasTime.cut(),
      isComplete: isComplete.cut(),
      ticket: ticket.cut(),
      photo: photo.cut(),
      ticketDigits: ticketDigits.cut(),
      dhashHigh: dhashHigh.cut(),
      dhashLow: dhashLow.cut(),
      axleFrom: axleFrom.cut(),
      ...axles.done(),
      ...orderVisits(names, own),
    };
  };
  return { add, done };
}

const halfOf = (hex: string): number => (hex === '' ? 0 : Number.parseInt(hex, 16) | 0);

function startAxles(): { add: (one: SampleAxle) => void; count: () => number; done: () => AxleColumns } {
  const [axle, emptyVolt, emptyWeight, loadedVolt, loadedWeight] = [int32(), int32(), int32(), int32(), int32()];
  const [foundEmpty, foundLoaded, change] = [int32(), int32(), int32()];
  return {
    add: (one) => {
      axle.push(AXLES.findIndex(({ axle: known }) => known === one.axle));
      emptyVolt.push(one.emptyVolt);
      emptyWeight.push(one.emptyWeight);
      loadedVolt.push(one.loadedVolt);
      loadedWeight.push(one.loadedWeight);
      foundEmpty.push(one.foundEmpty ?? NONE);
      foundLoaded.push(one.foundLoaded ?? NONE);
      change.push((one.sensorReplaced ? SENSOR_REPLACED : 0) + (one.otherTrailer ? OTHER_TRAILER : 0));
    },
    count: () => axle.length,
    done: () => ({
      axle: axle.cut(),
      emptyVolt: emptyVolt.cut(),
      emptyWeight: emptyWeight.cut(),
      loadedVolt: loadedVolt.cut(),
      loadedWeight: loadedWeight.cut(),
      foundEmpty: foundEmpty.cut(),
      foundLoaded: foundLoaded.cut(),
      change: change.cut(),
    }),
  };
}

/** Columns of these visits. */
export function columnsOf(visits: Iterable<SampleVisit>): Columns {
  const { add, done } = startColumns();
  for (const visit of visits) add(visit);
  return done();
}
