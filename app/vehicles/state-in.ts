// States and territories beside a plate. Apart from vehicle.ts, which public pages need not load.

export const STATE = 'NSW|VIC|QLD|SA|WA|TAS|NT|ACT';

/** The state that `text` begins or ends with, set off from the rest, in capitals; undefined: with none. */
export function stateIn(text: string): string | undefined {
  const [, inFront, behind] = RegExp(`^\\W*(${STATE})\\W|\\W(${STATE})\\W*$`, 'i').exec(text) ?? [];
  return (behind ?? inFront)?.toUpperCase();
}
