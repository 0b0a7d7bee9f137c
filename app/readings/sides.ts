// The sensors of a group that has a left and a right one.

export const SIDES = ['left', 'right'] as const;
/** In forms: of the output `name`. */
export const sideName = (name: string, side: (typeof SIDES)[number]): string => `${name}_${side}`;
