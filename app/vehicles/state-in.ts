// States and territories beside a plate. Apart from vehicle.ts, which public pages need not load.

export const STATE = 'NSW|VIC|QLD|SA|WA|TAS|NT|ACT';
/** What sets a state off from the plate. */
export const APART = String.raw`[\s/\\()[\]{}\-\u2010-\u2015\u2212]+`;

/** The state that `text` begins or ends with, set off from the rest, in capitals; undefined: with none. */
export function stateIn(text: string): string | undefined {
  const [, inFront, behind] =
    new RegExp(`^(?:${APART})?(${STATE})${APART}|${APART}(${STATE})(?:${APART})?$`, 'i').exec(text) ?? [];
  return (behind ?? inFront)?.toUpperCase();
}
