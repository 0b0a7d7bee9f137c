/** In what the sensor of an axle group speaks. */
export const OUTPUTS = ['V', 'kPa', 'mV/V', 'counts'] as const;
export type Output = (typeof OUTPUTS)[number];
