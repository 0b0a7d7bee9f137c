// The axle groups that may carry a sensor: of a truck, of the trailers that its own unit reads, of a trailer or dolly.

/** '': a truck, rigid or prime mover. */
export const VEHICLE_KINDS = [
  { value: '', label: 'Truck' },
  { value: 'trailer', label: 'Trailer' },
  { value: 'dolly', label: 'Dolly' },
] as const;

export const kindWord = (kind: string): string => VEHICLE_KINDS.find(({ value }) => value === kind)?.label ?? '';

/** Of a trailer or dolly. '': it has one of its own, or nobody said. */
export const SCALE_UNITS = [
  { value: '', label: 'Its own' },
  { value: 'truck', label: 'None: the truck’s unit reads it' },
] as const;

/** From the front. */
export const AXLES = [
  { axle: 'STEER', label: 'Steer' },
  { axle: 'DRIVE', label: 'Drive' },
  { axle: 'TRAILERA', label: 'Trailer A' },
  { axle: 'DOLLYA', label: 'Dolly A' },
  { axle: 'TRAILERB', label: 'Trailer B' },
  { axle: 'DOLLYB', label: 'Dolly B' },
  { axle: 'TRAILERC', label: 'Trailer C' },
  { axle: 'DOLLYC', label: 'Dolly C' },
  { axle: 'TRAILERD', label: 'Trailer D' },
  { axle: 'FRONT', label: 'Front' },
  { axle: 'REAR', label: 'Rear' },
] as const;
export type Axle = (typeof AXLES)[number]['axle'];
export type AxleLabel = (typeof AXLES)[number]['label'];

/** The four of the specification, which are offered where no group of a truck is known. */
export const USUAL_AXLES: readonly Axle[] = ['STEER', 'DRIVE', 'TRAILERA', 'TRAILERB'];
/** The most groups of one vehicle, and of one visit. */
export const GROUPS_MAX = 8;

export function axleLabel(axle: Axle): AxleLabel {
  return AXLES.find((known) => known.axle === axle)?.label ?? 'Steer';
}

export const isAxle = (text: string): text is Axle => AXLES.some(({ axle }) => axle === text);

/** Whether another trailer brings another axle group. */
export const isTrailer = (axle: Axle): boolean => axle.startsWith('TRAILER') || axle.startsWith('DOLLY');

const isOwnOfTrailer = (axle: Axle): boolean => axle === 'FRONT' || axle === 'REAR';

/** The groups that a vehicle of this kind can have. */
export const axlesOfKind = (kind: string): Axle[] =>
  AXLES.map(({ axle }) => axle).filter((axle) => isOwnOfTrailer(axle) === (kind !== ''));

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

/** 'Steer, Drive', of 'STEER DRIVE'. */
export const groupsWords = (text: string): string => axleGroupsOf(text).map(axleLabel).join(', ');
