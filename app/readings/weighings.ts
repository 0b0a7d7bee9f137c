// The weighings of a visit, as one text: a JSON list in their order.
import { axleLabel, isAxle, type Axle } from '#app/vehicles/axle.ts';
import { formatValue } from './calibration.ts';
import { massesOf, type WeighingCheck } from './masses-of.ts';

export const LOADS = [
  { load: 'empty', label: 'Empty' },
  { load: 'loaded', label: 'Loaded' },
  { load: 'check', label: 'Check load' },
] as const;
export type Load = (typeof LOADS)[number]['load'];

export const WEIGHINGS_MAX = 20;

/** A group on the deck by its name: 'REAR', of another unit 'REAR@T12345'. `rego`: '' of the visit's own vehicle. */
export type OnDeck = { axle: Axle; rego: string };
export const onDeckName = ({ axle, rego }: OnDeck): string => (rego === '' ? axle : `${axle}@${rego}`);
function onDeckIn(name: string): OnDeck | undefined {
  const [axle = '', rego = ''] = name.split('@');
  return isAxle(axle) ? { axle, rego } : undefined;
}

/**
 * What the deck showed. `on`: its day; `at`: its weighbridge as typed; absent: the visit's. `reference`: where a day or
 * a weighbridge is its own, that which it was weighed on, if it is in the register. `e`: its interval in kg.
 */
export type Weighing = {
  load: Load;
  deck: readonly string[];
  kg: number;
  on?: string;
  at?: string;
  reference?: string;
  ticket?: string;
  e?: number;
};

export const weighingsText = (weighings: readonly Weighing[]): string =>
  weighings.length === 0 ? '' : JSON.stringify(weighings);

/** The weighings of `weighingsText`; '' and null have none. */
export function weighingsIn(text: string | null): Weighing[] {
  const list: unknown = text === null || text === '' ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.flatMap(weighingIn) : [];
}

function weighingIn(value: unknown): Weighing[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  const [load, deck, kg, e] = ['load', 'deck', 'kg', 'e'].map((name) => fields.get(name));
  const known = LOADS.find((one) => one.load === load);
  if (known === undefined || !Array.isArray(deck) || typeof kg !== 'number') return [];
  const words = (['on', 'at', 'reference', 'ticket'] as const).flatMap((name) => {
    const text = fields.get(name);
    return typeof text === 'string' && text !== '' ? [[name, text]] : [];
  });
  const own: Partial<Record<'on' | 'at' | 'reference' | 'ticket', string>> = Object.fromEntries(words);
  const groups = deck.filter((name): name is string => typeof name === 'string' && onDeckIn(name) !== undefined);
  return [{ load: known.load, deck: groups, kg, ...own, ...(typeof e === 'number' ? { e } : {}) }];
}

/** 'Drive', 'Rear of T12345' */
export function groupWords(name: string): string {
  const { axle, rego } = onDeckIn(name) ?? { axle: 'STEER', rego: '' };
  return rego === '' ? axleLabel(axle) : `${axleLabel(axle)} of ${rego}`;
}

/** 'Steer + Drive' */
export const deckWords = (deck: readonly string[]): string => deck.map(groupWords).join(' + ');

/** The weighings of a press as the visit of `unit` has them; `text`: as that of `own` has. */
export const weighingsOfUnit = (text: string, { own, unit }: { own: string; unit: string }): string =>
  weighingsText(
    weighingsIn(text).map(({ deck, ...one }) => ({
      ...one,
      deck: deck.flatMap((name) => {
        const { axle, rego } = onDeckIn(name) ?? {};
        return axle === undefined ? [] : [onDeckName({ axle, rego: otherSide(rego ?? '', { own, unit }) })];
      }),
    })),
  );

function otherSide(rego: string, { own, unit }: { own: string; unit: string }): string {
  if (rego === unit) return '';
  return rego === '' ? own : rego;
}

/** 'empty: Steer 4,280 kg (ticket 48211), Steer + Drive 9,260 kg; loaded: …'. */
export function weighingsWords(text: string): string {
  const weighings = weighingsIn(text);
  return LOADS.flatMap(({ load, label }) => {
    const own = weighings.filter((one) => one.load === load);
    return own.length === 0 ? [] : [`${label.toLowerCase()}: ${own.map(weighingWords).join(', ')}`];
  }).join('; ');
}

function weighingWords({ deck, kg, on, at, ticket }: Weighing): string {
  const beside = [
    ...(ticket === undefined ? [] : [`ticket ${ticket}`]),
    ...(on === undefined ? [] : [on]),
    ...(at === undefined ? [] : [at]),
  ];
  return `${deckWords(deck)} ${kilograms(kg)}${beside.length === 0 ? '' : ` (${beside.join(', ')})`}`;
}

const kilograms = (kg: number): string => `${formatValue(String(kg))}\u00a0kg`;

/** One that follows from earlier ones of its load. `isGross`: it is the ticket of the whole. */
export type LoadCheck = WeighingCheck & { load: Load; deck: readonly string[]; kg: number; isGross: boolean };

/**
 * The weighings beside the weights of groups that were corrected since: each takes the place of the weighing of its
 * group by itself, else it goes before the weighings that gave another.
 */
export const weighingsCorrected = (
  weighings: readonly Weighing[],
  corrected: readonly { load: Load; axle: Axle; kg: number }[],
): Weighing[] =>
  LOADS.flatMap(({ load }) => {
    const read = corrected.filter((one) => one.load === load);
    const own = weighings
      .filter((one) => one.load === load)
      .map((one) => ({ ...one, kg: read.find(({ axle }) => one.deck.join(' ') === axle)?.kg ?? one.kg }));
    const { masses } = massesOf(
      read.map(({ axle }) => axle),
      own.map((one) => ({ ...one, e: null })),
    );
    const others = read.filter(({ axle, kg }) => (masses[axle] ?? kg) !== kg);
    return [...others.map(({ axle, kg }) => ({ load, deck: [axle], kg })), ...own];
  });

/** Further from what the earlier ones give than the policy's tolerance. */
export const isWeighingSlip = (
  { kg, differenceKg }: Pick<LoadCheck, 'kg' | 'differenceKg'>,
  { tolerancePerMille, toleranceKg }: { tolerancePerMille: number; toleranceKg: number },
): boolean => Math.abs(differenceKg) > Math.max(toleranceKg, (kg * tolerancePerMille) / 1000);

/** What follows from earlier weighings, load by load. */
export const loadChecks = (weighings: readonly Weighing[]): LoadCheck[] =>
  LOADS.flatMap(({ load }) => {
    const own = weighings.filter((one) => one.load === load);
    const groups = [...new Set(own.flatMap(({ deck }) => deck))];
    const { checks } = massesOf(
      groups,
      own.map(({ e = null, ...one }) => ({ ...one, e })),
    );
    return checks.flatMap((check) => {
      const weighing = own[check.weighing];
      if (weighing === undefined) return [];
      const { deck, kg } = weighing;
      return [{ ...check, load, deck, kg, isGross: deck.length > 1 && deck.length === groups.length }];
    });
  });

/** The last day of weighings that were all on days of their own, empty and loaded; undefined: not all were. */
export const lastWeighedOn = (weighings: readonly Weighing[]): string | undefined =>
  weighings.every(({ on }) => on !== undefined) && new Set(weighings.map(({ load }) => load)).size > 1
    ? weighings
        .flatMap(({ on = [] }) => on)
        .toSorted()
        .at(-1)
    : undefined;

/** Where and when a visit was weighed beside its own weighbridge and day: each once. `at`: as typed, '' the visit's. */
export function placesOf(
  text: string | null,
  { visitedOn }: { visitedOn: string },
): { referenceId: string | null; visitedOn: string; at: string }[] {
  const places = weighingsIn(text)
    .filter(({ on, at }) => on !== undefined || at !== undefined)
    .map(({ on = visitedOn, at = '', reference = null }) => ({ referenceId: reference, visitedOn: on, at }));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}
