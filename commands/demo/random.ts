export type DemoRandom = ReturnType<typeof demoRandom>;

/** Pseudo-random numbers: the same seed gives the same numbers. */
export function demoRandom(seed: string) {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193);
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(choices: readonly T[]): T => {
    const chosen = choices[whole(0, choices.length - 1)];
    if (chosen === undefined) throw new Error('nothing to pick from');
    return chosen;
  };
  return {
    between: (low: number, high: number) => low + next() * (high - low),
    whole,
    pick,
    text: (length: number, alphabet: string) => Array.from({ length }, () => pick([...alphabet])).join(''),
  };
}
