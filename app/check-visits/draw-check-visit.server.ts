// Which visits are to be checked, drawn at random when they begin to count, by the share that the policy says. The
// source is that of the keys: nobody can foresee or repeat a draw. The technician can only cause another one, by a
// visit that counts again.
import { randomInt } from 'node:crypto';

/** `random`: a whole number from 0 up to, and without, its argument. */
export const isDrawn = (perMille: number, random: (below: number) => number = randomInt): boolean =>
  perMille > 0 && random(1000) < perMille;
