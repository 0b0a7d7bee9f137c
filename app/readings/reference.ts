/** The reference mass of an axle group, in kg. `isTyped`: by somebody, so no figure of the table. */
export type Reference = { kg: number; isTyped: boolean };

/** The registry's own threshold: below this part of the reference mass too much of the line is extrapolated. */
export const LOW_LOAD_PERCENT = 80;
