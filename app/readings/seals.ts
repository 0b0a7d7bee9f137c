// Seals as they are typed, 'number place; number place': '4471 unit; 4469 junction box'. Of two visits in a row those
// found are those that were left.

/** `place`: '' where none is named. */
export type Seal = { number: string; place: string };

export const sealsIn = (text: string): Seal[] =>
  text.split(';').flatMap((one) => {
    const [number = '', ...place] = one.trim().split(/\s+/);
    return number === '' ? [] : [{ number, place: place.join(' ').toLowerCase() }];
  });

export const SEAL_REASONS = {
  replaced: 'replaced by somebody else',
  broken: 'broken on arrival',
  misread: 'misread last time',
} as const;
type SealReason = keyof typeof SEAL_REASONS;
const isSealReason = (text: string): text is SealReason => text in SEAL_REASONS;
export const sealReason = (text: string): string => (isSealReason(text) ? SEAL_REASONS[text] : text);

const onPlace = ({ place }: Seal): string => (place === '' ? '' : ` on the ${place}`);

/** What differs, in sentences; none: those found are those left. `on`: the day on which they were left, in words. */
export function changedSeals(found: readonly Seal[], left: readonly Seal[], on: string): string[] {
  const has = (seals: readonly Seal[], { number }: Seal) => seals.some((one) => one.number === number);
  const gone = left.filter((seal) => !has(found, seal));
  const changed = found
    .filter((seal) => !has(left, seal))
    .map((seal) => ({ seal, was: gone.find(({ place }) => place === seal.place) }));
  const told = new Set(changed.flatMap(({ was }) => was ?? []));
  return [
    ...changed.map(({ seal, was }) =>
      was === undefined
        ? `The seal found${onPlace(seal)} (${seal.number}) was not left on ${on}.`
        : `The seal found${onPlace(seal)} (${seal.number}) is not the one left on ${on} (${was.number}).`,
    ),
    ...gone
      .filter((seal) => !told.has(seal))
      .map((seal) => `The seal left${onPlace(seal)} on ${on} (${seal.number}) was not found.`),
  ];
}
