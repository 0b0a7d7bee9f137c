// The axle groups of a truck and its trailers that may carry a sensor.

export const AXLES = [
  { axle: 'STEER', label: 'Steer' },
  { axle: 'DRIVE', label: 'Drive' },
  { axle: 'TRAILERA', label: 'Trailer A' },
  { axle: 'TRAILERB', label: 'Trailer B' },
] as const;
export type Axle = (typeof AXLES)[number]['axle'];
export type AxleLabel = (typeof AXLES)[number]['label'];

export function axleLabel(axle: Axle): AxleLabel {
  return AXLES.find((known) => known.axle === axle)?.label ?? 'Steer';
}

/** Whether another trailer brings another axle group. */
export const isTrailer = (axle: Axle): boolean => axle === 'TRAILERA' || axle === 'TRAILERB';

/** Which groups of a truck carry a sensor, as stored: their names in the order of AXLES, such as 'STEER DRIVE'. */
export const axleGroupsText = (axles: Iterable<Axle>): string => {
  const there = new Set(axles);
  return AXLES.filter(({ axle }) => there.has(axle))
    .map(({ axle }) => axle)
    .join(' ');
};

/** The groups of `axleGroupsText`. */
export const axleGroupsOf = (text: string): Axle[] =>
  AXLES.map(({ axle }) => axle).filter((axle) => text.split(' ').includes(axle));

const labelOf = (axles: readonly Axle[]): string => axles.map(axleLabel).join(', ');

/** 'Steer, Drive', of 'STEER DRIVE'. */
export const groupsWords = (text: string): string => labelOf(axleGroupsOf(text));

/** Every choice of groups: those with the steer axle first, then by the number of groups. */
export const AXLE_GROUPS: readonly { value: string; label: string }[] = Array.from(
  { length: 2 ** AXLES.length - 1 },
  (_, n) => AXLES.filter((_axle, place) => ((n + 1) >> place) & 1).map(({ axle }) => axle),
)
  .toSorted((a, b) => Number(b[0] === 'STEER') - Number(a[0] === 'STEER') || a.length - b.length)
  .map((axles) => ({ value: axleGroupsText(axles), label: labelOf(axles) }));
