// Which trucks a generated registry has, and how many readings each: the same plan gives the same registry.

/**
 * `four`: four imported readings a truck, with long histories planted among them. `histories`: 4 to 1,280 readings a truck,
 * 100 on average, as visits of sixteen, partly imported and partly recorded.
 */
export const REGISTRY_KINDS = ['four', 'histories'] as const;
export type RegistryKind = (typeof REGISTRY_KINDS)[number];
export type RegistryPlan = {
  kind: RegistryKind;
  vehicles: number;
  /** Whether visits of the last 400 days are recorded, as they are in a registry that is used. False: all are imported. */
  isInUse: boolean;
  /** How many readings truck `index` has. */
  readingsOf: (index: number) => number;
  /** The trucks with so many, at most `most` of them. */
  trucksWith: (readings: number, most: number) => number[];
};

/** Whose cost against their history is measured: one visit, two, ten years of them, and more than any truck has. */
export const MEASURED_SIZES = [16, 32, 320, 1280] as const;

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const PLANTED = [16, 320, 640, 1280] as const;
// One truck in ten thousand of each planted size: at 1,000,000 these are 300 long histories.
const ONE_IN = 10_000;
// Of a thousand trucks. On average 100 readings; the median truck has 64.
const SHARES = [
  [4, 70],
  [16, 178],
  [32, 160],
  [48, 110],
  [64, 110],
  [96, 105],
  [128, 90],
  [192, 70],
  [256, 42],
  [320, 32],
  [480, 14],
  [640, 12],
  [1280, 7],
] as const;
const OF_A_THOUSAND = SHARES.flatMap(([readings, share]) => Array<number>(share).fill(readings));
// Shares no factor with 1,000: any thousand trucks in a row have these shares.
const STEP = 7919;

export function planRegistry(kind: RegistryKind, vehicles: number): RegistryPlan {
  const planted = kind === 'four' ? plant(vehicles) : undefined;
  const readingsOf = (index: number): number =>
    planted === undefined ? (OF_A_THOUSAND[(index * STEP) % 1000] ?? 4) : (planted.get(index) ?? 4);
  return {
    kind,
    vehicles,
    isInUse: true,
    readingsOf,
    trucksWith(readings, most) {
      const found: number[] = [];
      for (let index = 0; index < vehicles && found.length < most; index += 1)
        if (readingsOf(index) === readings) found.push(index);
      return found;
    },
  };
}

function plant(vehicles: number): ReadonlyMap<number, number> {
  const count = PLANTED.length * Math.max(1, Math.round(vehicles / ONE_IN));
  return new Map(
    Array.from({ length: count }, (_, nth) => [
      Math.floor(((nth + 0.5) * vehicles) / count),
      PLANTED[nth % PLANTED.length] ?? 4,
    ]),
  );
}

/** The rego of truck `index`: six characters, spread over all prefixes, each once below 24^4 × 100. */
export function regoAt(index: number): string {
  // A step that shares no factor with the count walks through all of them.
  let place = (index * 7_368_787) % (24 ** 4 * 100);
  const digits = String(place % 100).padStart(2, '0');
  place = Math.floor(place / 100);
  let letters = '';
  for (let at = 0; at < 4; at += 1) {
    letters += LETTERS[place % 24] ?? '';
    place = Math.floor(place / 24);
  }
  return `${letters.slice(0, 2)}${digits}${letters.slice(2)}`;
}
