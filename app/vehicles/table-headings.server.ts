// Which column of somebody's table names the truck.
import { headingKey } from '#app/platform/http/read-table.server.ts';

const NAMES_A_TRUCK = /rego|plate|registration/i;
const ASIDE = /date|due|expir|state|owner|type|trailer/i;

/** The place of the heading that says rego, plate or registration; -1: none does. */
export function regoPlace(headings: readonly string[]): number {
  const exact = headings.findIndex((name) => /^(?:rego|plate|registration)$/i.test(headingKey(name)));
  if (exact !== -1) return exact;
  const sure = headings.findIndex((name) => NAMES_A_TRUCK.test(name) && !ASIDE.test(name));
  return sure !== -1 ? sure : headings.findIndex((name) => NAMES_A_TRUCK.test(name));
}

/** 'State', 'Rego state'. */
export const isStateHeading = (heading: string): boolean => /(?:^|_)state(?:_|$)/.test(headingKey(heading));
