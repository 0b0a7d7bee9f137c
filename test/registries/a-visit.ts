// A visit in a few words, for tests of one pattern.
import type { SampleAxle, SampleVisit } from '#app/patterns/sample.ts';

let made = 0;

export const DAY_MS = 86_400_000;
export const START = Date.parse('2026-01-05T00:00:00Z');

/** 'STEER 310 5020 420 5960': axle, empty volts and weight, loaded volts and weight. */
export function axleOf(text: string, rest: Partial<SampleAxle> = {}): SampleAxle {
  const [axle = '', ...numbers] = text.split(' ');
  const [emptyVolt = 0, emptyWeight = 0, loadedVolt = 0, loadedWeight = 0] = numbers.map(Number);
  if (axle !== 'STEER' && axle !== 'DRIVE' && axle !== 'TRAILERA' && axle !== 'TRAILERB') throw new Error(text);
  const none = { foundEmpty: null, foundLoaded: null, sensorReplaced: false, otherTrailer: false };
  return { axle, emptyVolt, emptyWeight, loadedVolt, loadedWeight, ...none, ...rest };
}

/** On a truck of its own, a day after the one before, with two axle groups of its own. */
export function visitOf(given: Partial<SampleVisit> = {}): SampleVisit {
  made += 1;
  return {
    id: `visit-${made}`,
    technician: 'mia',
    vehicle: `truck-${made}`,
    make: 'Volvo',
    at: START + made * DAY_MS,
    hasTime: true,
    place: null,
    ticket: '',
    photo: null,
    isComplete: true,
    axles: [
      axleOf(`STEER ${201 + made} ${4020 + 20 * made} ${301 + made} ${5520 + 20 * made}`),
      axleOf(`DRIVE ${101 + made} ${5020 + 20 * made} ${351 + made} ${15_520 + 20 * made}`),
    ],
    ...given,
  };
}

export const placeOf = (id: string, latitude = -33, longitude = 150): NonNullable<SampleVisit['place']> => ({
  id,
  latitude,
  longitude,
});
