import { expect, test } from 'vitest';
import { stateIn } from './state-in.ts';
import { parseRego } from './vehicle.ts';

// A search that offers a rego names the state that the rule of plates drops, and no other.
test.each(
  'XV04KL NSW|NSW XV04KL|nsw-xv04kl|XV04KL (Vic)|[QLD] XV04KL|XV04KL/WA|XV04KL – NT|XV04KL.NSW|XV04KLNSW|NSW|XV04KL|SA1'.split(
    '|',
  ),
)('%s', (text) => {
  const parsed = parseRego(text);
  expect(stateIn(text)).toBe(parsed.ok ? parsed.without?.state : undefined);
});
