// The errors at check loads, as the API presents them.
import { z } from '@hono/zod-openapi';
import type { MeasuredSet } from '#app/readings/axle-lines.ts';
import type { SetReading } from '#app/readings/calibration-set.ts';
import { DECISIONS, type ToldError } from '#app/readings/errors-at-check.ts';
import { formatFraction } from '#app/readings/fraction.ts';
import { checkLoadsOf } from '#app/readings/set-grid.ts';

const PLACES = 6;
const decimal = z.string().openapi({ description: 'Decimal text', example: '120.5' });

export const errorAtLoad = z.object({
  error_kg: decimal.nullable(),
  expanded_uncertainty_kg: z.number().nullable().openapi({ description: 'U, of two standard uncertainties' }),
  tolerance_kg: decimal.openapi({ description: 'Of the rules in force' }),
  decision: z.enum(DECISIONS).openapi({ description: 'By the method at /method. No verdict depends on it' }),
});
export const checkLoad = errorAtLoad.extend({ volts: decimal, weight: decimal });

/** Of one group. `errors`: of its visit. */
export const checkLoads = (
  { axle, extras }: MeasuredSet<SetReading>,
  errors: readonly ToldError[],
): z.infer<typeof checkLoad>[] =>
  checkLoadsOf(extras).flatMap(({ volt: volts, weight }, place) => {
    const told = errors.find((one) => one.axle === axle && one.load === place);
    return told === undefined ? [] : [{ volts, weight, ...presentError(told) }];
  });

export const presentError = ({ error, tolerance, decision }: ToldError): z.infer<typeof errorAtLoad> => ({
  error_kg: error === undefined ? null : formatFraction(error.error, PLACES),
  expanded_uncertainty_kg: error === undefined ? null : Math.round(error.expanded * 1000) / 1000,
  tolerance_kg: formatFraction(tolerance, PLACES),
  decision,
});
